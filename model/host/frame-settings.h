// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_SETTINGS_H
#define FRAME_SETTINGS_H

#include "nic-profile.h"
#include "rails-transport.h"

#include "ns3/path-selector.h"
#include "ns3/path-spread.h"
#include "ns3/port-selector.h"
#include "ns3/rails-wiring.h"
#include "ns3/switch-profile.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Settings of the servers and switches of a packet-level simulation.
struct FrameSettings
{
    Ptr<const SwitchProfile> profile; //!< common to all switches
    Ptr<const Transport> transport;   //!< common to all queue pairs
    Ptr<const NicProfile> nic;        //!< common to all NICs
    Ptr<PathSelector> path;           //!< prototype of the queue pairs' path selectors
    Ptr<const PortSelector> selector; //!< prototype of the switches' port selectors

    /**
     * \throws ConfigurationError when the settings do not fit each other or the wiring, with a path
     * from the top of the descriptor
     */
    void Check(const Wiring& wiring) const;

    /// \return spread of a queue pair's bytes over the fabric; empty when it depends on frames
    std::optional<PathSpread> FindSpread() const;

    /// \return random streams of a switch: one for its hash, and one more with ECN marking
    int64_t CountStreamsOfSwitch() const;

    /// \return bytes of headroom with which no port of the wiring drops lossless frames
    uint64_t FindSafeHeadroom(const Wiring& wiring) const;

    /**
     * \param wiring the cluster
     * \param links number of links of a path
     * \param bytes length of a frame, without preamble and gap
     * \return longest time of the frame over such a path without queueing
     */
    TimePs FindTravelTime(const Wiring& wiring, uint32_t links, uint64_t bytes) const;

    /**
     * \param wiring the cluster
     * \param links number of links of a path
     * \return longest round trip of a full data frame and its ACK over such a path without queueing
     */
    TimePs FindIdleRoundTrip(const Wiring& wiring, uint32_t links) const;
};

/// \return default settings
FrameSettings MakeFrameSettings();

} // namespace ns3::rails

#endif // FRAME_SETTINGS_H
