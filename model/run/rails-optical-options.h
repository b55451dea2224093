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

/// What moves for the way back take.
enum CircuitBackward
{
    BACKWARD_HIDDEN, //!< they hide behind what is computed (MixNet, section 7.1)
    BACKWARD_CHARGED //!< as long as those for the way there
};

/// Who gets circuits, and how long they take to move: the section `optical`.
class OpticalOptions : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param wiring with optical switches
     * \return what a workload has to know of circuits that move, if they do
     */
    std::optional<CircuitTiming> FindTiming(const Wiring& wiring) const;

    /**
     * \param full when the last server of a region has said what it will send
     * \param isOnWayBack whether that belongs to the way back
     */
    CircuitController::Times FindTimes(TimePs full, bool isOnWayBack) const;

    /// \return true when servers whose circuits stay wait as well while a region is dark
    bool IsRegionWaiting() const;

    /// \return what circuits move by, words by names of keys of results; none where they stay
    std::vector<std::pair<std::string, std::string>> GetRules() const;

    Ptr<CircuitPlanner> GetPlanner() const;
    CircuitMoves GetMoves() const;
    DarkPart GetDarkPart() const;

    /// \return true when moves for the way back are taken to hide behind what is computed
    bool HidesBackward() const;

    /**
     * \param longest propagation of a cable of the wiring
     * \throws ConfigurationError with a path from the section when the planner does not fit the
     * wiring, or servers hear of each other in less time than its cables take
     */
    void Check(const Wiring& wiring, TimePs longest) const;

  private:
    TimePs GetReconfigurationDelay() const;

    Ptr<CircuitPlanner> m_planner;
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
