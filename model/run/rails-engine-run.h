// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_RUN_H
#define RAILS_ENGINE_RUN_H

#include "engine-record.h"
#include "leg-recorder.h"
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
 * An engine in a run, with everything that has to know which engine it is: what is recorded, the
 * watchdog, what comes out, the invariants. It is called in this order: OnFailures() for what has
 * failed from the start, SetRhoMax() where hosts want it, Watch(); the functions declared after
 * Watch() are called during the run, or when it is over.
 */
class EngineRun
{
  public:
    virtual ~EngineRun() = default;

    virtual Ptr<Engine> GetEngine() const = 0;

    /// \return into how many messages, each on a queue pair of its own, a piece is split
    virtual uint32_t GetSubflows() const = 0;

    /// \return how what a queue pair sends spreads over the ways of the fabric; nothing when that
    /// cannot be told before
    virtual std::optional<PathSpread> GetSpread() const = 0;

    /// \return true when it reads all messages of a run that is over
    /// (GraphRunner::GetMessages())
    virtual bool ReadsMessages() const = 0;

    /// \return true when hosts send at a rate that SetRhoMax() tells
    virtual bool WantsRhoMax() const = 0;

    /// \param rhoMax part of their rate at which all hosts can send
    virtual void SetRhoMax(double rhoMax) = 0;

    /**
     * Begins to record, and starts the watchdog, which ends the simulation when nothing moves any
     * more. Neither changes a result.
     * \param runner the collective, not started yet
     * \param failures what fails; what fails from the start has done so already
     */
    virtual void Watch(const GraphRunner& runner, const Failures& failures) = 0;

    /**
     * Begins to record what an explanation of a graph needs, in place of what one of phases needs.
     * Called behind Watch(), at most once.
     * \param speeds of the cluster, with what has failed from the start
     */
    virtual LegRecorder& WatchLegs(const ClusterSpeeds& speeds) = 0;

    /// A phase with traffic starts or ends now; no server is behind this instant.
    virtual void OnPhase(bool starts) = 0;

    /// Cables have changed in this instant. \param converged whether routing knows of them
    virtual void OnFailures(bool converged) = 0;

    /**
     * Of a run with phases that is done.
     * \param bound lower bound of the run
     * \param speeds the speeds that the bound was made with
     * \return why the run took longer than its bound
     */
    virtual Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const = 0;

    /// \return what is counted up to this instant, by NIC and port; no server is behind it
    virtual EngineRecord Count() const = 0;

    /// \return counters, ports, recorded queues, notes and the fingerprint of a run that is over
    virtual EngineRecord Describe() const = 0;

    /// \return of a run that is over, where some replicas were run, whether all that is known of
    /// them is the same
    virtual bool AreReplicasAlike() const
    {
        return true;
    }

    /// \return payload delivered, without the parts of messages that were given up
    virtual uint64_t GetDeliveredBytes() const = 0;

    /// \return what must never happen and did, a sentence each
    virtual std::vector<std::string> FindBrokenInvariants() const = 0;

    /// \return why a run that is not done came to its end and who waits for what, in lines
    virtual std::string DescribeStuck() const = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_RUN_H
