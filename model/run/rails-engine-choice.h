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

/// When some replicas of what is run answer for all (ReplicaFold).
enum Symmetry
{
    SYMMETRY_OFF,   //!< never
    SYMMETRY_EXACT, //!< where everything is the same to the picosecond
    SYMMETRY_CLOSE  //!< where times are nearly the same
};

struct RunSettings;

/// What an engine is made from.
struct EngineParts
{
    const RunSettings& settings; //!< which outlive the engine
    std::shared_ptr<Wiring> wiring;
    const FabricTraits& traits; //!< of the wiring
    std::shared_ptr<Router> router;
};

/// What a run sends, about, and how much of that it has to run: some replicas answer for all, and
/// equal micro-batches are left out.
struct ExpectedTraffic
{
    double bytes{0};    //!< of payload, all
    double messages{0}; //!< from GPU to GPU, all, before a planner cuts them
    double outside{0};  //!< bytes that go to other servers, of what is run
    double cost{0};    //!< of messages and nodes that are run, in messages of an exchange among few
    double gpus{0};    //!< that have something to do
    double seconds{0}; //!< of a processor, for what is decided before the run
};

/// Which engine runs a cluster: the section `engine`.
class EngineChoice : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return what descriptors and results call it: "frames"
    std::string GetTypeName() const;

    /**
     * \param settings of the run
     * \param wiring its cluster
     * \param traits of the wiring
     * \throws ConfigurationError with a path from the top of the descriptor when the engine cannot
     * run it
     */
    virtual void Check(const RunSettings& settings,
                       const Wiring& wiring,
                       const FabricTraits& traits) const = 0;

    /// \return what a user should think over before a run that passes Check()
    virtual std::vector<ExperimentWarning> FindWarnings(const RunSettings& settings,
                                                        const Wiring& wiring,
                                                        const FabricTraits& traits) const = 0;

    /**
     * \param settings of the run
     * \param traits of its fabric
     * \param traffic what it sends
     * \return RunSize::seconds of the run without its set-up; by default in proportion to its cost
     */
    virtual double EstimateSeconds(const RunSettings& settings,
                                   const FabricTraits& traits,
                                   const ExpectedTraffic& traffic) const;

    /**
     * \param cables of the fabric, those of NICs included
     * \param queuePairs of all NICs, about
     * \return bytes of memory that it has of both; by default as many as the fluid engine
     */
    virtual double EstimateMemory(double cables, double queuePairs) const;

    /// \return when some replicas answer for all, where whoever runs it knows of that
    virtual Symmetry GetSymmetry() const;

    /// \return how what a queue pair sends spreads over the ways of the fabric, as
    /// EngineRun::GetSpread() has it; by default not known
    virtual std::optional<PathSpread> FindSpread(const RunSettings& settings) const;

    /// \return the engine for a run that passes Check()
    virtual std::unique_ptr<EngineRun> Make(const EngineParts& parts) const = 0;
};

} // namespace ns3::rails

#endif // RAILS_ENGINE_CHOICE_H
