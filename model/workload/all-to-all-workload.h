// SPDX-License-Identifier: GPL-2.0-only
#ifndef ALL_TO_ALL_WORKLOAD_H
#define ALL_TO_ALL_WORKLOAD_H

#include "phase-workload.h"

#include "ns3/exchange-scheme.h"
#include "ns3/gpu-grouping.h"
#include "ns3/matrix-source.h"
#include "ns3/workload-phase.h"

#include <vector>

namespace ns3::rails
{

/**
 * The all-to-all exchanges of Mixture-of-Experts training: `workload: {type: all-to-all}`. One
 * matrix is drawn, of all GPUs or of groups of them; `dispatch` moves it and `combine` its
 * transpose, with given compute times between them (attention and experts), iteration by iteration.
 * Deduplicated, a token crosses once to each server (GroupServers) and is passed on there.
 */
class AllToAllWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    bool SendsEvenly() const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    double EstimateOutside(const WorkloadSetting& setting) const override;
    double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// \param dispatch what a dispatch moves \return all phases of all iterations
    WorkloadSchedule LayOut(const ScheduledPhase& dispatch) const;

    /// \return how many phases of an iteration move something
    uint64_t CountExchanges() const;

    Ptr<MatrixSource> m_matrix;
    Ptr<GpuGrouping> m_groups;
    std::vector<Ptr<WorkloadPhase>> m_phases;
    uint32_t m_iterations;
    Ptr<ExchangeScheme> m_exchange;
};

} // namespace ns3::rails

#endif // ALL_TO_ALL_WORKLOAD_H
