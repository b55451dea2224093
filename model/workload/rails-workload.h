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

/// Description of the cluster for a workload.
struct WorkloadSetting
{
    /// A cluster of which only the shape is known.
    explicit WorkloadSetting(const ClusterShape& itsShape)
        : shape(itsShape)
    {
    }

    ClusterShape shape;
    ClusterRates rates{}; //!< for workloads that plan with rates
    std::shared_ptr<CollectiveChooser> chooser{std::make_shared<CollectiveChooser>()};
    CircuitTiming circuits{};   //!< of circuits for exchanges between servers
    bool keepsPlacement{false}; //!< whether to record the tokens of all replicas of experts
};

/**
 * \param setting the cluster
 * \throws ConfigurationError unless the servers are whole regions of circuits, or there are none
 */
void CheckRegionsOfCircuits(const WorkloadSetting& setting);

/// Work of the GPUs of a cluster: the `workload` component. It makes programs, and keeps none. A
/// training program uses the token load and the expert policy of its workload, so only one may
/// exist at a time.
class Workload : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        bool hasPhases{false}; //!< its programs are phases that all GPUs begin and end together
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /**
     * \param setting the cluster
     * \throws ConfigurationError when the workload does not fit it
     */
    virtual void Check(const WorkloadSetting& setting) const = 0;

    /**
     * \param longest largest propagation delay of a link of the cluster
     * \throws ConfigurationError when a barrier takes less time than that
     */
    virtual void CheckBarriers(TimePs longest) const;

    /**
     * Makes the program of the GPUs. Random parts are drawn here, or later by the program.
     * \param setting the cluster, which passes Check()
     * \return the program
     */
    virtual std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) = 0;

    /**
     * Makes a program only for estimates (GraphProgram::EstimateWork()).
     * \param setting the cluster, which passes Check()
     * \return the program; by default null: EstimateBytes() and EstimateMessages() suffice
     */
    virtual std::shared_ptr<const GraphProgram> MakeOutline(const WorkloadSetting& setting) const;

    /**
     * Estimates the bytes of a run without random draws, so that thousands of sweep points are
     * planned in seconds.
     * \param setting the cluster, which passes Check()
     * \return payload of all messages in bytes, the mean over random draws
     */
    virtual double EstimateBytes(const WorkloadSetting& setting) const = 0;

    /**
     * Estimates the messages from GPU to GPU; of rings only a fourth, as ring steps are
     * synchronous.
     * \param setting the cluster, which passes Check()
     * \return approximate number; by default one per GPU
     */
    virtual double EstimateMessages(const WorkloadSetting& setting) const;

    /// \return true when all pairs of GPUs send equal bytes, as far as known before a run
    virtual bool SendsEvenly() const
    {
        return false;
    }

    /// \return estimated cost in the flow engine, in messages of an exchange among few servers; by
    /// default EstimateMessages()
    virtual double EstimateCost(const WorkloadSetting& setting) const;

    /// \return approximate share of the bytes that crosses servers; by default that of a uniform
    /// all-to-all
    virtual double EstimateOutside(const WorkloadSetting& setting) const;

    /**
     * \param setting the cluster, which passes Check()
     * \param ways number of NICs of another server to which a NIC sends
     * \return largest number of ordered pairs of NICs with traffic; by default all pairs
     */
    virtual double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const;

    /// \return why its exchanges between servers are not announced, so that no circuits can be
    /// moved for them (WorkloadSetting::circuits); empty: they are
    virtual std::string WhyUnannounced() const;

    /// \return true when it may have traffic other than exchanges (CommOpTraits::isExchange)
    virtual bool MovesOther() const;

    /// \return true when it places experts on GPUs
    virtual bool PlacesExperts() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone
};

} // namespace ns3::rails

#endif // RAILS_WORKLOAD_H
