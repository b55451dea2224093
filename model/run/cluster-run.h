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
 * One run of a cluster with either engine, from the first post to the last ACK, with failures,
 * circuits, a watchdog and recorders. CheckRun() rejects settings that do not fit.
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
     * Makes the engine and its recorders, and applies failures at the start. The time resolution
     * must be picoseconds. Random streams are fixed: draws of the workload do not depend on the
     * balancer or the engine.
     * \param part number of equal units of the workload to run
     * \throws ConfigurationError when the arguments do not fit each other, with the path of the key
     * in a descriptor
     */
    ClusterRun(std::shared_ptr<Wiring> wiring,
               const Ptr<Workload>& workload,
               const RunSettings& settings,
               const ForwardPart& part = {});

    /// A run of a program that is made already.
    ClusterRun(std::shared_ptr<Wiring> wiring,
               std::shared_ptr<const GraphProgram> program,
               const RunSettings& settings);

    /**
     * Draws random failures, with the same results as a run.
     * \param wiring a cluster that is used for nothing else
     * \param workload draws, too
     * \throws ConfigurationError when no draw leaves a path between all servers with traffic
     */
    static void CheckDraws(Wiring& wiring, Workload& workload, const RunSettings& settings);

    ~ClusterRun();
    ClusterRun(const ClusterRun&) = delete;
    ClusterRun& operator=(const ClusterRun&) = delete;

    /// \param callback called last at every change of links, with true when the routing has
    /// converged
    void SetFailureCallback(std::function<void(bool)> callback);

    /// Runs the simulator until all is done, the watchdog ends the run, or a GPU with work fails.
    /// \throws std::logic_error when called again
    void Run();

    /**
     * \return the number of units for another run that may suffice for fast-forwarding, where this
     * run did not; nothing when it did, or when it failed
     */
    std::optional<ForwardPart> FindNextPart() const;

    /// \return how the whole run was extrapolated from a part of its units, if it was
    std::optional<ForwardRecord> GetForward() const;

    /// \return true when the program is a part of a whole, see EstimateWhole()
    bool IsPart() const
    {
        return m_scaling != nullptr;
    }

    /// \return for a run that is done, the estimated time in ps of an iteration of the whole;
    /// nothing when the part does not suffice
    std::optional<double> EstimateWhole() const;

    /// \return the time of omitted units
    TimePs GetLeftOutTime() const;

    /// \return the whole program, with omitted units
    const GraphProgram& GetProgram() const
    {
        return *m_whole;
    }

    /// \return the whole traffic, with omitted units
    const WorkloadSchedule& GetSchedule() const
    {
        return m_schedule ? *m_schedule : m_runner->GetSchedule();
    }

    /// \return results of the nodes, with omitted units; for a run without phases that is done
    GraphRecord DescribeGraph() const;

    /// \return results of the engine, with omitted units
    EngineRecord DescribeEngine() const;

    /// \return a note for the result on fast-forwarding; empty if there is nothing to say
    std::string GetForwardNote() const;

    /// \return true when all is done, and no GPU failed before
    bool IsDone() const;

    /// \return true when some replicas represent others that are nearly equal
    bool IsClose() const;

    /// \return true if folded replicas diverged, so that they do not represent the others; after
    /// the run
    bool HasSplit() const;

    /// \return lines on the state of a run that is over and not done
    std::string DescribeStuck() const;

    /// \return from the first post to the last byte delivered; of a graph, to its end
    TimePs GetTime() const;

    /// \return the lower bound for any scheme, with the best rates of NICs up to now
    LowerBound FindBound() const;

    /// \return speeds of the cluster, with the best rates of NICs up to now
    ClusterSpeeds FindSpeeds() const;

    /**
     * For a run without phases, with omitted units.
     * \param callback hears of progress
     * \return the times of the program without a network, and without contention
     */
    ProgramTimes FindProgramTimes(const ClusterSpeeds& speeds, const WalkCallback& callback) const;

    /// \return the fabric as the bound of arXiv 2507.21372 describes it
    PublishedBoundFabric DescribePublishedFabric() const;

    /// \return why a run that is done took longer than its bound; nothing unless recorded
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

    /// \return the engine with its recorders
    const EngineRun& GetEngineRun() const
    {
        return *m_engine;
    }

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

    /// \return part of their rate at which hosts can send; nothing unless FindRhoMax() needed it
    std::optional<double> GetRhoMax() const
    {
        return m_rhoMax;
    }

    /// \return the replicas of which two run and represent all; null: all run
    const ReplicaFold* GetFold() const
    {
        return m_program->GetFold();
    }

    /// \return why all replicas run; empty where two represent all (ReplicaFold), where there are
    /// no replicas, and where folding is off
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
    std::shared_ptr<const GraphProgram> m_program; //!< that runs: the whole, or a part
    std::optional<WorkloadSchedule> m_schedule;    //!< of the whole, where a part runs
    std::shared_ptr<const ReplicaFold> m_fold;     //!< where replicas are folded
    std::string m_unfolded;                        //!< why all replicas run
    std::unique_ptr<EngineRun> m_engine;
    std::unique_ptr<Failures> m_failures;
    std::unique_ptr<CircuitRun> m_circuits; //!< where there are optical switches
    std::unique_ptr<GraphRunner> m_runner;
    bool m_hasRun{false};
    PathSegmentRecorder* m_segments{nullptr}; //!< of a graph that is to be explained
    std::unique_ptr<FastForward> m_forward;   //!< where a part of the units runs
    std::unique_ptr<GraphScaling> m_scaling;  //!< where the program is a part of a whole
    std::string m_whyWhole;                   //!< why all units run, if there are equal units
    std::unique_ptr<GpuLosses> m_losses;
    std::optional<double> m_rhoMax; //!< see GetRhoMax()
    std::function<void(bool)> m_onFailures;
};

} // namespace ns3::rails

#endif // CLUSTER_RUN_H
