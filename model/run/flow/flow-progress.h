// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PROGRESS_H
#define FLOW_PROGRESS_H

#include "ns3/flow-engine.h"
#include "ns3/rails-watchdog-options.h"
#include "ns3/standstill-watch.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

class GraphRunner;
class Failures;

/// Watches a run of flows: ends it when no byte has moved for too long. What comes out of a run
/// that ends by itself does not depend on it.
class FlowProgress
{
  public:
    /**
     * \param engine what it watches
     * \param options its patience
     * \param runner what is meant to move
     * \param failures what fails in the cluster
     */
    FlowProgress(Ptr<FlowEngine> engine,
                 Ptr<const WatchdogOptions> options,
                 const GraphRunner& runner,
                 const Failures& failures);
    ~FlowProgress();
    FlowProgress(const FlowProgress&) = delete;
    FlowProgress& operator=(const FlowProgress&) = delete;

    /// \return why the run was ended; empty while all is well
    const std::string& GetVerdict() const;

    /// \return which queue pairs have something to send and why they cannot, in lines
    std::string DescribeStuck() const;

  private:
    std::vector<std::pair<uint32_t, uint32_t>> FindCuts() const;
    void OnStuck();

    Ptr<FlowEngine> m_engine;
    const Failures& m_failures;
    std::string m_verdict;
    StandstillWatch m_watch;
};

} // namespace ns3::rails

#endif // FLOW_PROGRESS_H
