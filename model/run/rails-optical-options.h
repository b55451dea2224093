// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_OPTICAL_OPTIONS_H
#define RAILS_OPTICAL_OPTIONS_H

#include "ns3/circuit-controller.h"
#include "ns3/circuit-planner.h"
#include "ns3/circuit-prediction.h"
#include "ns3/circuit-timing.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/optical-device.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Duration of reconfigurations for the backward pass.
enum CircuitBackward
{
    BACKWARD_HIDDEN, //!< hidden behind computing (MixNet, section 7.1)
    BACKWARD_CHARGED //!< as in the forward pass
};

/// Planner and delays of optical circuits: the section `optical`.
class OpticalOptions : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param wiring with optical switches
     * \return timing of reconfigurations for a workload; nothing for static circuits
     */
    std::optional<CircuitTiming> FindTiming(const Wiring& wiring) const;

    /**
     * \param full when the last server of a region announced its demands
     * \param isOnWayBack true for the backward pass
     */
    CircuitController::Times FindTimes(TimePs full, bool isOnWayBack) const;

    /// \return true when servers with unchanged circuits also wait while a region is dark
    bool IsRegionWaiting() const;

    /// \return rules of reconfigurations, by key of result.json; empty for circuits that stay or
    /// are time-slotted
    std::vector<std::pair<std::string, std::string>> GetRules() const;

    Ptr<CircuitPlanner> GetPlanner() const;

    CircuitMoves GetMoves() const
    {
        return m_moves;
    }

    DarkPart GetDarkPart() const
    {
        return m_darkPart;
    }

    /// \return true when reconfigurations for the backward pass take no time
    bool HidesBackward() const;

    /**
     * \param longest propagation delay of a link of the wiring
     * \throws ConfigurationError with a path from the section when the planner does not fit the
     * wiring, or the control delay is below `longest`
     */
    void Check(const Wiring& wiring, TimePs longest) const;

  private:
    TimePs GetReconfigurationDelay() const;

    Ptr<CircuitPlanner> m_balancer;
    OpticalDeviceName m_device{POLATIS};
    std::optional<Time> m_reconfigurationDelay;
    CircuitMoves m_moves{MOVES_NEEDED};
    DarkPart m_darkPart{DARK_REGION};
    std::optional<CircuitBackward> m_backward;
    Ptr<CircuitPrediction> m_prediction;
    Time m_linkUpDelay;
    Time m_controlDelay;
};

} // namespace ns3::rails

#endif // RAILS_OPTICAL_OPTIONS_H
