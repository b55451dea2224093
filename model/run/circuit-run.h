// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_RUN_H
#define CIRCUIT_RUN_H

#include "circuit-record.h"
#include "rails-failure-plan.h"
#include "rails-optical-options.h"

#include "ns3/circuit-controller.h"
#include "ns3/circuit-log.h"
#include "ns3/graph-runner.h"
#include "ns3/rails-engine.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// The circuits of a run: lays the first of them, and moves them for what servers announce.
class CircuitRun
{
  public:
    /**
     * Lays circuits.
     * \param wiring with optical switches
     * \param options who gets circuits
     * \param failures of the run
     * \param engine moves messages
     * \param isLogged whether List() is wanted
     * \param stream first stream of random numbers
     */
    CircuitRun(const std::shared_ptr<Wiring>& wiring,
               Ptr<const OpticalOptions> options,
               const FailurePlan& failures,
               Ptr<const Engine> engine,
               bool isLogged,
               int64_t stream);
    CircuitRun(const CircuitRun&) = delete;
    CircuitRun& operator=(const CircuitRun&) = delete;

    /// Moves circuits from now on for what is run, which it has to outlive.
    void Serve(GraphRunner& runner);

    /// \return what became of the circuits
    CircuitController::Record GetRecord(const GraphRunner& runner) const;

    /// \return all circuits that there were, by their starts; nothing when that is not wanted
    std::optional<std::vector<CircuitRecord>> List() const;

  private:
    std::vector<TimePs> Move(const GraphRunner::CircuitMove& move);

    std::shared_ptr<Wiring> m_wiring;
    Ptr<const OpticalOptions> m_options;
    bool m_isIntact; //!< nothing fails
    std::unique_ptr<CircuitController> m_controller;
    std::unique_ptr<CircuitLog> m_log; //!< if somebody wants to see them
};

} // namespace ns3::rails

#endif // CIRCUIT_RUN_H
