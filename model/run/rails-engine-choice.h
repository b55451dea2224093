// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ENGINE_CHOICE_H
#define RAILS_ENGINE_CHOICE_H

#include "rails-engine-run.h"

#include "ns3/fabric-traits.h"
#include "ns3/object.h"
#include "ns3/path-spread.h"
#include "ns3/rails-router.h"
#include "ns3/rails-warnings.h"
#include "ns3/rails-wiring.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// When some replicas represent all (ReplicaFold).
enum Symmetry
{
    SYMMETRY_OFF,   //!< never
    SYMMETRY_EXACT, //!< where all times are equal to the picosecond
    SYMMETRY_CLOSE  //!< also where times are nearly equal
};

struct RunSettings;

/// Arguments of EngineChoice::Make().
struct EngineParts
{
    const RunSettings& settings; //!< must outlive the engine
    std::shared_ptr<Wiring> wiring;
    const FabricTraits& traits; //!< of the wiring
    std::shared_ptr<Router> router;
};

/// Estimated traffic of a run, in all, and simulated: without folded replicas and omitted
/// micro-batches.
struct ExpectedTraffic
{
    double bytes{0};    //!< payload, in all
    double messages{0}; //!< from GPU to GPU, in all, before a balancer cuts them
    double outside{0};  //!< simulated payload to other servers
    double cost{
        0}; //!< of simulated messages and nodes, in messages of an exchange in a small group
    double gpus{0};    //!< busy simulated GPUs
    double seconds{0}; //!< processor time of decisions before the run
};

/// The engine of a run: the section `engine`.
class EngineChoice : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return its name in descriptors and results: "frames"
    std::string GetTypeName() const;

    /**
     * \param settings of the run
     * \param wiring its cluster
     * \param traits of the wiring
     * \throws ConfigurationError with a path from the top of the descriptor when the engine does
     * not support the run
     */
    virtual void Check(const RunSettings& settings,
                       const Wiring& wiring,
                       const FabricTraits& traits) const = 0;

    /// \return warnings about a run that passes Check()
    virtual std::vector<ExperimentWarning> FindWarnings(const RunSettings& settings,
                                                        const Wiring& wiring,
                                                        const FabricTraits& traits) const = 0;

    /**
     * \param settings of the run
     * \param traits of its fabric
     * \param traffic of the run
     * \return RunSize::seconds of the run without its set-up; by default proportional to its cost
     */
    virtual double EstimateSeconds(const RunSettings& settings,
                                   const FabricTraits& traits,
                                   const ExpectedTraffic& traffic) const;

    /**
     * \param cables number of links, with those of NICs
     * \param queuePairs estimated number for all NICs
     * \return bytes of memory for both; by default those of the flow engine
     */
    virtual double EstimateMemory(double cables, double queuePairs) const;

    /// \return when replicas may be folded, if RunSettings::maySkipReplicas allows it
    virtual Symmetry GetSymmetry() const;

    /// \return EngineRun::GetSpread() of a run; by default unknown
    virtual std::optional<PathSpread> FindSpread(const RunSettings& settings) const;

    /// \return the engine for a run that passes Check()
    virtual std::unique_ptr<EngineRun> Make(const EngineParts& parts) const = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_CHOICE_H
