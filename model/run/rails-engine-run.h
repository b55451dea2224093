// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_RUN_H
#define RAILS_ENGINE_RUN_H

#include "engine-record.h"
#include "path-segment-recorder.h"
#include "rails-explanation.h"

#include "ns3/lower-bound.h"
#include "ns3/path-spread.h"
#include "ns3/rails-engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

class GraphRunner;
class Failures;

/**
 * An engine in a run, with all that depends on the kind of engine: recorders, watchdog, results and
 * invariants. Calls come in this order: OnFailures() for failures at the start, SetRhoMax() if
 * wanted, Watch(); the functions declared after Watch() are called during the run, or after it.
 */
class EngineRun
{
  public:
    virtual ~EngineRun() = default;

    virtual Ptr<Engine> GetEngine() const = 0;

    /// \return number of messages, each on its own queue pair, into which a chunk is split
    virtual uint32_t GetSubflows() const = 0;

    /// \return how a queue pair's bytes spread over the paths of the fabric; nothing when that is
    /// not known before the run
    virtual std::optional<PathSpread> GetSpread() const = 0;

    /// \return true when it needs all messages after the run (GraphRunner::GetMessages())
    virtual bool ReadsMessages() const = 0;

    /// \return true when hosts send at the rate of SetRhoMax()
    virtual bool WantsRhoMax() const = 0;

    /// \param rhoMax part of their rate at which all hosts can send
    virtual void SetRhoMax(double rhoMax) = 0;

    /**
     * Begins to record, and starts the watchdog, which ends the simulation when nothing moves any
     * more. Neither changes a result.
     * \param runner not started yet
     * \param failures of the run; those at the start have been applied
     */
    virtual void Watch(const GraphRunner& runner, const Failures& failures) = 0;

    /**
     * Begins to record path segments for the explanation of a graph, in place of phases. Called
     * after Watch(), at most once.
     * \param speeds of the cluster, with failures at the start
     */
    virtual PathSegmentRecorder& WatchSegments(const ClusterSpeeds& speeds) = 0;

    /// A phase with traffic starts or ends now; all servers have caught up with this instant.
    virtual void OnPhase(bool starts) = 0;

    /// Links have changed in this instant. \param converged true when the routing has converged
    virtual void OnFailures(bool converged) = 0;

    /**
     * For a run with phases that is done.
     * \param bound lower bound of the run
     * \param speeds the speeds that the bound was made with
     * \return why the run took longer than its bound
     */
    virtual Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const = 0;

    /// \return counters of NICs and ports up to this instant; all servers must have caught up
    virtual EngineRecord Count() const = 0;

    /// \return counters, ports, recorded queues, notes and the fingerprint of a run that is over
    virtual EngineRecord Describe() const = 0;

    /// \return true when the replicas that ran have equal flows and messages; after a run with
    /// folded replicas
    virtual bool AreReplicasAlike() const
    {
        return true;
    }

    /// \return payload delivered, without parts of abandoned messages
    virtual uint64_t GetDeliveredBytes() const = 0;

    /// \return a sentence for each broken invariant
    virtual std::vector<std::string> FindBrokenInvariants() const = 0;

    /// \return lines on why a run that is not done ended, and on queue pairs that are stuck
    virtual std::string DescribeStuck() const = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_RUN_H
