// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_STAGE_H
#define GRAPH_STAGE_H

#include "rails-workload.h"

#include "ns3/collective-traffic.h"
#include "ns3/gpu-grouping.h"
#include "ns3/group-collective.h"
#include "ns3/matrix-source.h"
#include "ns3/object.h"
#include "ns3/stage-program.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What all GPUs do once in every iteration: an entry of `workload.stages`.
class GraphStage : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the name that was given, or what it does
    std::string GetName() const;

    /// \return names of the stages that a GPU must have ended; empty: the stage before
    const std::vector<std::string>& GetAfter() const;

    /**
     * \param setting the cluster
     * \param earlier the stages before it
     * \throws ConfigurationError when it does not fit them
     */
    virtual void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const;

    /**
     * Draws what is random.
     * \param setting the cluster, which passes Check()
     * \param earlier the stages before it, as they are
     * \return the same as plain data, without what it is after
     */
    virtual Stage Make(const WorkloadSetting& setting, const std::vector<Stage>& earlier) = 0;

    /// \return how long a GPU that is in it does nothing else on its stream, whatever is moved
    virtual TimePs GetTime() const;

    /// \return name of the earlier stage that moves as many bytes; empty: EstimateBytes() tells
    virtual const std::string& GetOriginal() const;

    /// \return bytes that it moves in an iteration, the mean over all draws
    virtual double EstimateBytes(const WorkloadSetting& setting) const;

    /// \return messages from GPU to GPU, about, of the first iteration
    virtual double EstimateMessages(const WorkloadSetting& setting) const;

    /// \return how many steps it has, at most. \param setting the cluster, which passes Check()
    virtual uint64_t CountSteps(const WorkloadSetting& setting) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /// \return the plain data that all stages have. \param type what its nodes are
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
    /// \param operation what it is for
    explicit CollectiveGraphStage(GroupCollective::Operation operation);
    void DoDispose() override;

    /// \return the groups of a cluster
    GpuGroups GetGroups(const ClusterShape& shape) const;

    /// \return what the GPUs of each group do
    virtual GroupCollective GetCollective() const;

  private:
    bool IsChain(const GpuGroups& groups) const;
    CollectiveTraffic MakeTraffic(const WorkloadSetting& setting) const;

    GroupCollective::Operation m_operation;
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

/// A collective in which one GPU of a group has the buffer before or behind it.
class RootedGraphStage : public CollectiveGraphStage
{
  public:
    static TypeId GetTypeId();
    void Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const override;

  protected:
    /// \param operation what it is for
    explicit RootedGraphStage(GroupCollective::Operation operation);
    GroupCollective GetCollective() const override;

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
