// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_RUN_H
#define CLUSTER_RUN_H

#include "circuit-run.h"
#include "fast-forward.h"
#include "gpu-losses.h"
#include "rails-engine-run.h"
#include "rails-run-settings.h"

#include "ns3/fabric-traits.h"
#include "ns3/graph-program.h"
#include "ns3/graph-runner.h"
#include "ns3/lower-bound.h"
#include "ns3/program-walk.h"
#include "ns3/published-bound.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-router.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A cluster of either engine that does something, once, from the first post to the last ACK: with
 * failures, circuits, a watchdog and what is recorded. CheckRun() says what does not fit.
 *
 * \code
 * ClusterRun run(topology->Lay(), workload, settings);
 * run.Run();
 * \endcode
 */
class ClusterRun
{
  public:
    /**
     * Makes the engine and whatever watches it; what fails from the start has failed. The time
     * resolution must be picoseconds. Random streams are fixed: what is drawn for the workload does
     * not depend on the planner or the engine.
     * \param wiring the cluster
     * \param workload what GPUs have to do
     * \param settings how they do it
     * \param part of equal units of the workload how many are run
     * \throws ConfigurationError when they do not fit each other, with the path that the key has in
     * a descriptor
     */
    ClusterRun(std::shared_ptr<Wiring> wiring,
               const Ptr<Workload>& workload,
               const RunSettings& settings,
               const ForwardPart& part = {});

    /// The same for a program that is made already.
    ClusterRun(std::shared_ptr<Wiring> wiring,
               std::shared_ptr<const GraphProgram> program,
               const RunSettings& settings);

    /**
     * Draws what fails at random, as a run of the same will.
     * \param wiring a cluster that is used for nothing else
     * \param workload what is to be done; it draws, too
     * \param settings how it runs
     * \throws ConfigurationError when no draw leaves a path between all that send
     */
    static void CheckDraws(Wiring& wiring, Workload& workload, const RunSettings& settings);

    ~ClusterRun();
    ClusterRun(const ClusterRun&) = delete;
    ClusterRun& operator=(const ClusterRun&) = delete;

    /// \param callback told of every change of cables, and whether routing knows of them, when all
    /// else has been told
    void SetFailureCallback(std::function<void(bool)> callback);

    /// Runs the simulator until all is done, or nothing moves any more, or a GPU fails that has
    /// something to do.
    void Run();

    /**
     * \return the part of its units with which another run may tell all of it, where this one does
     * not; nothing: it does, or it came to a bad end
     */
    std::optional<ForwardPart> FindNextPart() const;

    /// \return how all of it is told from a part of its units, if it is
    std::optional<ForwardRecord> GetForward() const;

    /// \return whether it is a part of something, and EstimateWhole() is to be asked
    bool IsPart() const
    {
        return m_scaling != nullptr;
    }

    /// \return of a run that is done, how long in ps an iteration of all of it takes, about;
    /// nothing: that cannot be told from the part
    std::optional<double> EstimateWhole() const;

    /// \return the time of its units that were not run
    TimePs GetLeftOutTime() const;

    /// \return what was to be done, with what was left out
    const GraphProgram& GetProgram() const
    {
        return *m_whole;
    }

    /// \return all that was to be moved, likewise
    const WorkloadSchedule& GetSchedule() const
    {
        return m_schedule ? *m_schedule : m_runner->GetSchedule();
    }

    /// \return what became of the nodes, likewise; of a run without phases that is done
    GraphRecord DescribeGraph() const;

    /// \return what the engine counted, likewise
    EngineRecord DescribeEngine() const;

    /// \return what a reader of the result has to know of units that are left out, if anything
    std::string GetForwardNote() const;

    /// \return true when all is done, and nobody was lost
    bool IsDone() const;

    /// \return true when some replicas answer for others that do nearly the same
    bool IsClose() const;

    /// \return of a run that is over, whether replicas that should have done the same did not, so
    /// that those that were run cannot answer for others
    bool HasSplit() const;

    /// \return of a run that is over and not done, what had become of it, in lines
    std::string DescribeStuck() const;

    /// \return from the first post to the last byte delivered; of a graph, to its end
    TimePs GetTime() const;

    /// \return what no scheme can beat, with the best rates that NICs have had up to now
    LowerBound FindBound() const;

    /// \return how fast the cluster is, likewise
    ClusterSpeeds FindSpeeds() const;

    /**
     * Of a run without phases, of all that was to be done.
     * \param callback told how far the search is
     * \return what it takes if every transfer is over at once, and without contention
     */
    ProgramTimes FindProgramTimes(const ClusterSpeeds& speeds, const WalkCallback& callback) const;

    /// \return what the bound of arXiv 2507.21372 has to know of the fabric
    PublishedBoundFabric DescribePublishedFabric() const;

    /// \return why a run that is done took longer than its bound; nothing unless that was recorded
    std::optional<Explanation> Explain(const LowerBound& bound, const ClusterSpeeds& speeds) const;

    const RunSettings& GetSettings() const
    {
        return m_settings;
    }

    const Wiring& GetWiring() const
    {
        return *m_wiring;
    }

    const FabricTraits& GetTraits() const
    {
        return m_traits;
    }

    /// \return the engine with what it records
    const EngineRun& GetEngineRun() const
    {
        return *m_engine;
    }

    /// \return what moves messages
    Ptr<Engine> GetEngine() const
    {
        return m_engine->GetEngine();
    }

    const GraphRunner& GetRunner() const
    {
        return *m_runner;
    }

    const Failures& GetFailures() const
    {
        return *m_failures;
    }

    const GpuLosses& GetLosses() const
    {
        return *m_losses;
    }

    /// \return nullptr without optical switches
    const CircuitRun* GetCircuits() const
    {
        return m_circuits.get();
    }

    /// \return part of their rate at which hosts can send, where it is known
    std::optional<double> GetRhoMax() const
    {
        return m_rhoMax;
    }

    /// \return the replicas of which two are run and answer for all; null: all are run
    const ReplicaFold* GetFold() const
    {
        return m_program->GetFold();
    }

    /// \return why all replicas of a program that has them are run; empty where two answer for all
    /// (ReplicaFold), and where nobody asked
    const std::string& GetReasonAgainstFold() const
    {
        return m_unfolded;
    }

  private:
    void MakeEngine();
    void ChoosePart(const ForwardPart& part);
    void Prepare();
    void FoldReplicas();
    std::shared_ptr<const GraphProgram> FoldLike(std::shared_ptr<const GraphProgram> program) const;
    void StartFailures(const WorkloadSchedule& schedule);
    void FindRhoMax(const WorkloadSchedule& schedule);
    void MakeRunner(WorkloadSchedule schedule);
    void Watch();

    RunSettings m_settings;
    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FabricTraits m_traits;
    std::shared_ptr<const GraphProgram> m_whole;
    std::shared_ptr<const GraphProgram> m_program; //!< that is run: it, or a part
    std::optional<WorkloadSchedule> m_schedule;    //!< of the whole, where a part is run
    std::shared_ptr<const ReplicaFold> m_fold;     //!< where replicas are left out
    std::string m_unfolded;                        //!< why all replicas are run
    std::unique_ptr<EngineRun> m_engine;
    std::unique_ptr<Failures> m_failures;
    std::unique_ptr<CircuitRun> m_circuits; //!< where there are optical switches
    std::unique_ptr<GraphRunner> m_runner;
    LegRecorder* m_legs{nullptr};            //!< of a graph that is to be explained
    std::unique_ptr<FastForward> m_forward;  //!< where a part is run
    std::unique_ptr<GraphScaling> m_scaling; //!< where all of it is a part of something
    std::string m_whyWhole;                  //!< why none is, if that was asked for
    std::unique_ptr<GpuLosses> m_losses;
    std::optional<double> m_rhoMax; //!< when somebody wants to know
    std::function<void(bool)> m_onFailures;
};

} // namespace ns3::rails

#endif // CLUSTER_RUN_H
