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

/// How servers and switches work that move messages frame by frame.
struct FrameSettings
{
    Ptr<const SwitchProfile> profile; //!< what all switches share
    Ptr<const Transport> transport;   //!< what all queue pairs share
    Ptr<const NicProfile> nic;        //!< what all NICs share
    Ptr<PathSelector> path;           //!< prototype of the queue pairs' path selectors
    Ptr<const PortSelector> selector; //!< prototype of the switches' port selectors

    /**
     * \throws ConfigurationError when they do not fit each other or the wiring, with a path from
     * the top of the descriptor
     */
    void Check(const Wiring& wiring) const;

    /// \return how a queue pair's bytes spread over the fabric, where that can be told
    std::optional<PathSpread> FindSpread() const;

    /// \return random streams of a switch: one for its hash, and one for its marks where it sets
    /// any
    int64_t CountStreamsOfSwitch() const;

    /// \return bytes of headroom with which no port of the wiring drops a frame of a lossless class
    uint64_t FindSafeHeadroom(const Wiring& wiring) const;

    /**
     * \param wiring the cluster
     * \param links cables of a way
     * \param bytes of a frame, without preamble and gap
     * \return how long the frame takes over so many cables at most, where nothing waits
     */
    TimePs FindTravelTime(const Wiring& wiring, uint32_t links, uint64_t bytes) const;

    /**
     * \param wiring the cluster
     * \param links cables of a way
     * \return how long a full data frame and its ACK take over it at most, where nothing waits
     */
    TimePs FindIdleRoundTrip(const Wiring& wiring, uint32_t links) const;
};

/// \return settings with the usual of everything
FrameSettings MakeFrameSettings();

} // namespace ns3::rails

#endif // FRAME_SETTINGS_H
