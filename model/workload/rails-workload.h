// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WORKLOAD_H
#define RAILS_WORKLOAD_H

#include "ns3/circuit-timing.h"
#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/collective-chooser.h"
#include "ns3/graph-program.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rails
{

/// What a workload is told of the cluster that it is for.
struct WorkloadSetting
{
    /// A cluster of which nothing else is known.
    explicit WorkloadSetting(const ClusterShape& itsShape)
        : shape(itsShape)
    {
    }

    ClusterShape shape;
    ClusterRates rates{}; //!< how quickly it sends: for workloads that plan with it
    std::shared_ptr<CollectiveChooser> chooser{std::make_shared<CollectiveChooser>()};
    CircuitTiming circuits{};   //!< of exchanges between servers, which circuits are moved for
    bool keepsPlacement{false}; //!< what copies of experts compute is kept
};

/**
 * \param setting the cluster
 * \throws ConfigurationError when circuits are moved and not all servers are in their regions
 */
void CheckRegionsOfCircuits(const WorkloadSetting& setting);

/// What the GPUs of a cluster have to do: the `workload` component. It makes programs, and keeps
/// none; of a training, a program uses its load and its policy of experts, so one at a time is
/// made.
class Workload : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param setting the cluster
     * \throws ConfigurationError when the workload does not fit it
     */
    virtual void Check(const WorkloadSetting& setting) const = 0;

    /**
     * \param longest propagation of a cable of the cluster
     * \throws ConfigurationError when servers learn of each other at a barrier in less time
     */
    virtual void CheckBarriers(TimePs longest) const;

    /**
     * Draws what is random, here or when the program is asked.
     * \param setting the cluster, which passes Check()
     * \return what GPUs do
     */
    virtual std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) = 0;

    /**
     * Makes what can tell how much a run has to do (GraphProgram::EstimateWork()).
     * \param setting the cluster, which passes Check()
     * \return a program that no run uses, by default null: EstimateBytes() and EstimateMessages()
     * know all there is to know
     */
    virtual std::shared_ptr<const GraphProgram> MakeOutline(const WorkloadSetting& setting) const;

    /**
     * Tells how much there will be to send without drawing anything, so that thousands of points of
     * a sweep are planned in seconds.
     * \param setting the cluster, which passes Check()
     * \return payload of all that is sent in bytes, the mean over all draws where it is random
     */
    virtual double EstimateBytes(const WorkloadSetting& setting) const = 0;

    /**
     * Tells likewise of messages from GPU to GPU; of rings every fourth, as these keep step.
     * \param setting the cluster, which passes Check()
     * \return about how many; by default one of each GPU
     */
    virtual double EstimateMessages(const WorkloadSetting& setting) const;

    /// \return true when all GPUs send each other as much, for all that is known before a run
    virtual bool SendsEvenly() const
    {
        return false;
    }

    /// \return the same in messages of an exchange among few servers, of which engines that know
    /// flows alone carry equally many in a second; by default these themselves
    virtual double EstimateCost(const WorkloadSetting& setting) const;

    /// \return which part of the bytes goes to other servers, about; by default as where each GPU
    /// sends each other one as much
    virtual double EstimateOutside(const WorkloadSetting& setting) const;

    /**
     * \param setting the cluster, which passes Check()
     * \param ways to how many NICs of another server a NIC sends
     * \return how many pairs of NICs send to each other at most; by default all of them
     */
    virtual double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const;

    /// \return true when its programs are phases, which all GPUs begin and end together
    virtual bool HasPhases() const;

    /// \return why its exchanges between servers are not announced, so that no circuits can be
    /// moved for them (WorkloadSetting::circuits); empty: they are
    virtual std::string WhyUnannounced() const;

    /// \return true when it may move something else than exchanges (TransferTraits::isExchange)
    virtual bool MovesOther() const;

    /// \return true when experts have places in it
    virtual bool PlacesExperts() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // RAILS_WORKLOAD_H
