// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_RUN_H
#define RAILS_ENGINE_RUN_H

#include "ns3/lower-bound.h"
#include "ns3/rails-engine.h"
#include "ns3/rails-explanation.h"
#include "ns3/rails-result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

class CollectiveRunner;
class Failures;

/**
 * An engine in a run, with all that knows it from inside: what is recorded, watched, reported and
 * judged of it. Failures at the start come first (OnFailures()), then the rate of hosts is settled,
 * then Watch() begins; what follows Watch() comes during the run, or when it is over.
 */
class EngineRun
{
  public:
    virtual ~EngineRun() = default;

    virtual Ptr<Engine> GetEngine() const = 0;

    /// \return into how many messages, each on a queue pair of its own, a piece is split
    virtual uint32_t GetSubflows() const = 0;

    /// \return true when hosts send at a rate that SetRhoMax() tells
    virtual bool WantsRhoMax() const = 0;

    /// \param rhoMax part of their rate at which all hosts can send
    virtual void SetRhoMax(double rhoMax) = 0;

    /**
     * Begins to record and to watch; it ends the simulation when nothing moves any more. Nothing of
     * this changes a result.
     * \param runner what is to be done, not started yet
     * \param failures what fails; what fails at the start has failed
     */
    virtual void Watch(const CollectiveRunner& runner, const Failures& failures) = 0;

    /// A phase with traffic starts or ends now; all servers have done what they do up to now.
    virtual void OnPhase(bool starts) = 0;

    /// Cables have changed in this instant; with true, routing has converged, too.
    virtual void OnFailures(bool converged) = 0;

    /**
     * \param bound of the run, which is done
     * \param speeds that it was made with
     * \return why the run took as long
     */
    virtual Explanation Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const = 0;

    /// Adds counters, ports, recorded queues and notes to the result of a run that is over.
    virtual void Describe(Result& result) = 0;

    /// \return payload delivered, without what came of messages before they were given up
    virtual uint64_t GetDeliveredBytes() const = 0;

    /// \return what must never happen and did, a sentence each
    virtual std::vector<std::string> FindBrokenInvariants() const = 0;

    /// \return why a run that is not done came to its end and who waits for what, in lines
    virtual std::string DescribeStuck() const = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_RUN_H
