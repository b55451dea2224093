// SPDX-License-Identifier: GPL-2.0-only
#ifndef STALL_DETECTOR_H
#define STALL_DETECTOR_H

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
 * Ends a stalled run, in which nothing has moved for too long, with any engine. It checks just
 * after the instant at which the patience would end, counted from the last sign of progress. So the
 * end of a run does not depend on the times of earlier checks.
 */
class StallDetector
{
  public:
    /**
     * \param patience longest time without an arrival or a post, unless the runner waits or is done
     * \param runner of the run; must outlive this
     * \param getLastArrival returns the time of the latest arrival of payload
     * \param onStandstill called once, before the simulator is stopped
     */
    StallDetector(TimePs patience,
                  const GraphRunner& runner,
                  std::function<TimePs()> getLastArrival,
                  std::function<void()> onStandstill);
    ~StallDetector();
    StallDetector(const StallDetector&) = delete;
    StallDetector& operator=(const StallDetector&) = delete;

  private:
    void ExamineAfter(TimePs time);
    void Examine();

    TimePs m_patience;
    const GraphRunner& m_runner;
    std::function<TimePs()> m_getLastArrival;
    std::function<void()> m_onStandstill;
    EventId m_event;
};

/// \return a clause that says that two NICs are cut off from each other
std::string DescribeCut(const Wiring& wiring, uint32_t fromNic, uint32_t toNic);

/**
 * \param pairs NICs with traffic that are cut off from each other
 * \return the beginning of a sentence about these pairs; empty without pairs
 */
std::string DescribeCuts(const Wiring& wiring,
                         const std::vector<std::pair<uint32_t, uint32_t>>& pairs);

} // namespace ns3::rails

#endif // STALL_DETECTOR_H
