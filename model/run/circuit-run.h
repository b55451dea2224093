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

/// The circuits of a run: sets up the first ones, and reconfigures them for announced demands.
class CircuitRun
{
  public:
    /**
     * Sets up the first circuits.
     * \param wiring with optical switches
     * \param options planner and delays of circuits
     * \param failures of the run
     * \param engine counts the bytes of each NIC
     * \param isLogged true when List() is wanted
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

    /// Reconfigures circuits for a runner from now on. This must outlive the runner.
    void Serve(GraphRunner& runner);

    /// \return results of the circuits
    CircuitController::Record GetRecord(const GraphRunner& runner) const;

    /// \return all circuits of the run, by their starts; nothing unless logged
    std::optional<std::vector<CircuitRecord>> List() const;

  private:
    std::vector<TimePs> Move(const GraphRunner::CircuitMove& move);

    std::shared_ptr<Wiring> m_wiring;
    Ptr<const OpticalOptions> m_options;
    bool m_isIntact; //!< nothing fails
    std::unique_ptr<CircuitController> m_controller;
    std::unique_ptr<CircuitLog> m_log; //!< if circuits are logged
};

} // namespace ns3::rails

#endif // CIRCUIT_RUN_H
