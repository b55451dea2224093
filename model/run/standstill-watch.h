// SPDX-License-Identifier: GPL-2.0-only
#ifndef STANDSTILL_WATCH_H
#define STANDSTILL_WATCH_H

#include "ns3/event-id.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

class GraphRunner;

/**
 * Ends a run in which nothing has moved for too long, with any engine. It looks when the patience
 * would be at its end if nothing had come since the last look, and just behind that instant: so
 * the end of a run does not depend on when it is looked at.
 */
class StandstillWatch
{
  public:
    /**
     * \param patience for how long nothing may arrive and nothing be posted, while the runner is
     * neither waiting nor finished
     * \param runner what is meant to move
     * \param getLastArrival tells when payload last came in somewhere, up to now
     * \param onStandstill called once, before the simulator is stopped
     */
    StandstillWatch(TimePs patience,
                    const GraphRunner& runner,
                    std::function<TimePs()> getLastArrival,
                    std::function<void()> onStandstill);
    ~StandstillWatch();
    StandstillWatch(const StandstillWatch&) = delete;
    StandstillWatch& operator=(const StandstillWatch&) = delete;

  private:
    void LookAfter(TimePs time);
    void Look();

    TimePs m_patience;
    const GraphRunner& m_runner;
    std::function<TimePs()> m_getLastArrival;
    std::function<void()> m_onStandstill;
    EventId m_event;
};

/// \return that two NICs are cut off from each other
std::string DescribeCut(const Wiring& wiring, uint32_t fromNic, uint32_t toNic);

/**
 * \param wiring of the cluster
 * \param pairs NICs that are cut off from each other and have traffic
 * \return who is cut off, as a text that goes on; empty without pairs
 */
std::string DescribeCuts(const Wiring& wiring,
                         const std::vector<std::pair<uint32_t, uint32_t>>& pairs);

} // namespace ns3::rails

#endif // STANDSTILL_WATCH_H
