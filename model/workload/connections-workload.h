// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONNECTIONS_WORKLOAD_H
#define CONNECTIONS_WORKLOAD_H

#include "phase-workload.h"

#include <string>

namespace ns3::rails
{

/**
 * Messages from a list, each with its size and its start: `workload: {type: connections}`. See
 * ReadConnections() for the forms that a list may have.
 */
class ConnectionsWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    std::string WhyUnannounced() const override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    /// What all connections have together.
    struct Totals
    {
        uint64_t bytes{0};
        uint64_t connections{0};
    };

    /// \return of all connections; throws as Check() does
    Totals FindTotals(const ClusterShape& shape) const;

    std::string m_path;
};

} // namespace ns3::rails

#endif // CONNECTIONS_WORKLOAD_H
