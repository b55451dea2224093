// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_WATCHDOG_H
#define FLOW_WATCHDOG_H

#include "ns3/flow-engine.h"
#include "ns3/rails-watchdog-options.h"
#include "ns3/stall-detector.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

class GraphRunner;
class Failures;

/// Watchdog of a flow-level run: ends it when no byte has moved for too long, or when rates are
/// found anew without end. It does not change the results of a run that ends by itself.
class FlowWatchdog
{
  public:
    /**
     * \param engine to be watched
     * \param options its patience
     * \param runner of the run
     * \param failures tell which NICs are cut off from each other
     */
    FlowWatchdog(Ptr<FlowEngine> engine,
                 Ptr<const WatchdogOptions> options,
                 const GraphRunner& runner,
                 const Failures& failures);
    ~FlowWatchdog();
    FlowWatchdog(const FlowWatchdog&) = delete;
    FlowWatchdog& operator=(const FlowWatchdog&) = delete;

    /// \return why the run was ended; empty while all is well
    const std::string& GetVerdict() const
    {
        return m_verdict;
    }

    /// \return lines on busy queue pairs, and why they are stuck
    std::string DescribeStuck() const;

  private:
    std::vector<std::pair<uint32_t, uint32_t>> FindCuts() const;
    void OnStuck();

    Ptr<FlowEngine> m_engine;
    const Failures& m_failures;
    std::string m_verdict;
    StallDetector m_stallDetector;
};

} // namespace ns3::rails

#endif // FLOW_WATCHDOG_H
