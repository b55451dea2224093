// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_STAGE_H
#define GRAPH_STAGE_H

#include "rails-workload.h"

#include "ns3/collective.h"
#include "ns3/gpu-grouping.h"
#include "ns3/matrix-source.h"
#include "ns3/object.h"
#include "ns3/stage-program.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A stage that all GPUs execute once per iteration: an entry of `workload.stages`.
class GraphStage : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the given name, or the type without one
    std::string GetName() const
    {
        return m_name;
    }

    /// \return names of the stages that a GPU must end before; empty: the previous stage
    const std::vector<std::string>& GetAfter() const;

    /**
     * \param setting the cluster
     * \param earlier the stages before it
     * \throws ConfigurationError when it does not fit the cluster or the earlier stages
     */
    virtual void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const;

    /**
     * Makes the stage as plain data, and draws its random parts.
     * \param setting the cluster, which passes Check()
     * \param earlier the stages before it, as made
     * \return the stage without the dependencies of GetAfter()
     */
    virtual Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) = 0;

    /// \return time that the stage occupies its stream on a GPU, besides communication
    virtual TimePs GetTime() const;

    /// \return name of the earlier stage that moves as many bytes; empty: use EstimateBytes()
    virtual const std::string& GetOriginal() const;

    /// \return bytes moved per iteration, the mean over all draws
    virtual double EstimateBytes(const WorkloadSetting& setting) const;

    /// \return approximate number of messages from GPU to GPU in the first iteration
    virtual double EstimateMessages(const WorkloadSetting& setting) const;

    /// \return largest number of steps. \param setting the cluster, which passes Check()
    virtual uint64_t CountSteps(const WorkloadSetting& setting) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /// \return the plain data common to all stages. \param type of its nodes
    Stage Begin(GraphNode::Type type) const;

  private:
    std::string m_name;
    std::string m_stream;
    NameList m_after;
};

/// `compute`
class ComputeGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    TimePs GetTime() const override;
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;

  private:
    Time m_time;
};

/// `exchange`
class ExchangeGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    Ptr<MatrixSource> m_matrix;
    Ptr<GpuGrouping> m_groups;
};

/// `return`
class ReturnGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;
    const std::string& GetOriginal() const override;

  private:
    std::string m_of;
};

/// A collective of the GPUs of each group.
class CollectiveGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    uint64_t CountSteps(const WorkloadSetting& setting) const override;

  protected:
    /// \param operation of the collective
    explicit CollectiveGraphStage(CollectiveOperation operation);
    void DoDispose() override;

    /// \return the groups of a cluster
    GpuPartition GetGroups(const ClusterShape& shape) const;

    /// \return the collective of each group
    virtual Collective::Task GetTask() const;

  private:
    bool IsChain(const GpuPartition& groups) const;
    std::shared_ptr<const Collective> MakeCollective(const WorkloadSetting& setting) const;

    CollectiveOperation m_operation;
    ByteSize m_bytes;
    Ptr<GpuGrouping> m_groups;
    CollectiveAlgorithm m_algorithm;
    uint32_t m_rings;
};

/// `all-reduce`
class AllReduceGraphStage : public CollectiveGraphStage
{
  public:
    static TypeId GetTypeId();
    AllReduceGraphStage();
};

/// `all-gather`
class AllGatherGraphStage : public CollectiveGraphStage
{
  public:
    static TypeId GetTypeId();
    AllGatherGraphStage();
};

/// `reduce-scatter`
class ReduceScatterGraphStage : public CollectiveGraphStage
{
  public:
    static TypeId GetTypeId();
    ReduceScatterGraphStage();
};

/// A collective with a root: one GPU of each group has the buffer before or after it.
class RootedGraphStage : public CollectiveGraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;

  protected:
    /// \param operation of the collective
    explicit RootedGraphStage(CollectiveOperation operation);
    Collective::Task GetTask() const override;

  private:
    uint32_t m_root;
    uint32_t m_chunks;
};

/// `broadcast`
class BroadcastGraphStage : public RootedGraphStage
{
  public:
    static TypeId GetTypeId();
    BroadcastGraphStage();
};

/// `reduce`
class ReduceGraphStage : public RootedGraphStage
{
  public:
    static TypeId GetTypeId();
    ReduceGraphStage();
};

/// `send`
class SendGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;

  private:
    ByteSize m_bytes;
    int64_t m_distance;
    bool m_wraps;
};

/// `barrier`
class BarrierGraphStage : public GraphStage
{
  public:
    static TypeId GetTypeId();
    Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) override;

    TimePs GetTime() const override;

  private:
    Time m_delay;
};

} // namespace ns3::rails

#endif // GRAPH_STAGE_H
