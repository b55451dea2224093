// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_PORTS_H
#define MESSAGE_PORTS_H

#include "ns3/cluster-shape.h"
#include "ns3/frame-format.h"
#include "ns3/rails-message.h"
#include "ns3/server-interior.h"

#include <cstdint>

namespace ns3::rails
{

/// A port that a message crosses at one of its two servers.
enum class MessagePort : uint8_t
{
    NicOut, //!< by number of the NIC
    NicIn,  //!< by number of the NIC
    Link    //!< inside a server, by server and link
};

/// Calls a function for each link of the path from one end of a server to another.
template <typename Function>
void
VisitLinks(const ServerInterior& interior,
           uint32_t server,
           uint32_t from,
           uint32_t to,
           Function function)
{
    for (const uint32_t hop : interior.GetWay(from, to))
    {
        for (const uint32_t link : interior.GetHop(hop).links)
        {
            function(static_cast<uint32_t>(server * interior.GetLinks().size() + link));
        }
    }
}

/**
 * Calls a function for each port at its servers that a message crosses.
 * \param function gets the kind of the port, its number, and the message's bytes there: bytes on
 * the wire at NICs, payload inside servers
 */
template <typename Function>
void
VisitPorts(const Message& message,
           const ClusterShape& shape,
           const ServerInterior& interior,
           const FrameFormat& frames,
           Function function)
{
    const uint32_t from = shape.GetServer(message.source);
    const uint32_t to = shape.GetServer(message.destination);
    const uint32_t source = shape.GetLocal(message.source);
    const uint32_t destination = shape.GetLocal(message.destination);
    const auto cross = [&](uint32_t link) { function(MessagePort::Link, link, message.bytes); };
    if (message.txRail == kNoRail)
    {
        VisitLinks(interior, from, source, destination, cross);
        return;
    }
    const uint64_t wire = frames.GetMessageWire(message.bytes);
    function(MessagePort::NicOut, shape.GetNic(from, message.txRail), wire);
    function(MessagePort::NicIn, shape.GetNic(to, message.rxRail), wire);
    VisitLinks(interior, from, source, interior.GetNicEnd(message.txRail), cross);
    VisitLinks(interior, to, interior.GetNicEnd(message.rxRail), destination, cross);
}

} // namespace ns3::rails

#endif // MESSAGE_PORTS_H
