// SPDX-License-Identifier: GPL-2.0-only
#include "rails-balancer.h"

#include "demand-pieces.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <limits>

namespace ns3::rails
{

/// What a server sends, to all others or to one; bytes are whole numbers that a double holds.
struct RailsBalancer::RailBytes
{
    /// There is more to be placed.
    void AddDemand(uint32_t rails, uint64_t bytes)
    {
        byRail.resize(rails, 0);
        total += static_cast<double>(bytes);
    }

    /// \param more bytes to be placed on the rail
    double GetShare(uint32_t rail, double more) const
    {
        return (byRail[rail] + more) / total;
    }

    std::vector<double> byRail; //!< placed so far
    double total{0};            //!< to be placed in the end
};

NS_LOG_COMPONENT_DEFINE("RailsBalancer");

NS_OBJECT_ENSURE_REGISTERED(RailsBalancer);

TypeId
RailsBalancer::GetTypeId()
{
    // EnumValue is a class in older versions of ns-3 and a template in newer ones.
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::RailsBalancer").SetParent<DealingBalancer>(),
            "RailS: a server takes its pieces longest first and gives each to its "
            "NIC with the fewest bytes, or of NICs of several rates to that which is done "
            "first. That evens out sending alone: where a rail "
            "is down, balances: destinations keeps receiving even, too. (arXiv "
            "2510.19262, section on the LPT spraying scheduler)")
            .SetGroupName("Rails")
            .AddConstructor<RailsBalancer>()
            .AddAttribute("Tie",
                          "Which of several least-loaded NICs gets a piece: the lowest, or the "
                          "first one counted from the server's own number on, and from elsewhere "
                          "for each group of GPUs that a server plans apart.",
                          EnumValue(TIE_ROTATED),
                          MakeWordAccessor(&RailsBalancer::m_tie),
                          MakeEnumChecker(TIE_LOWEST, "lowest", TIE_ROTATED, "rotated"))
            .AddAttribute("Balances",
                          "What is spread evenly over the rails: what the server sends, as "
                          "published, or that together with what each destination server gets of "
                          "it, which matters where a rail is down. (destinations: ours, unknown "
                          "in arXiv 2510.19262)",
                          EnumValue(SENDING),
                          MakeWordAccessor(&RailsBalancer::m_balances),
                          MakeEnumChecker(SENDING, "sending", DESTINATIONS, "destinations"));
    return tid;
}

// What a rail would carry with a piece more, in bytes or parts of all, per speed of its NIC.
double
RailsBalancer::GetLoad(const RailBytes& sent,
                       const RailBytes& sentTo,
                       uint32_t rail,
                       uint64_t bytes,
                       const ServerLayout& layout) const
{
    // Where all NICs are equally fast, the piece makes no difference.
    const double more = layout.HasEqualNics() ? 0 : static_cast<double>(bytes);
    const double load = m_balances == SENDING
                            ? sent.byRail[rail] + more
                            : sent.GetShare(rail, more) + sentTo.GetShare(rail, more);
    return load / layout.GetSpeed(rail);
}

std::vector<Piece>
RailsBalancer::Plan(const ServerView& view)
{
    std::vector<Piece> pieces = Cut(view);
    // Stable, so that pieces of one size keep the order of the demands.
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return a.bytes > b.bytes;
    });

    const uint32_t rails = view.shape.nicsPerServer;
    const uint32_t first = m_tie == TIE_ROTATED ? view.GetFirstRail() : 0;
    RailBytes sent;
    const DestinationServers servers(view);
    std::vector<RailBytes> sentToAll(servers.GetCount());
    for (const Piece& piece : pieces)
    {
        sent.AddDemand(rails, piece.bytes);
        sentToAll[servers.GetNumber(piece.demand)].AddDemand(rails, piece.bytes);
    }
    for (Piece& piece : pieces)
    {
        const uint32_t number = servers.GetNumber(piece.demand);
        const uint32_t to = servers.GetServer(number);
        RailBytes& sentTo = sentToAll[number];
        double least = std::numeric_limits<double>::infinity();
        for (uint32_t step = 0; step < rails; ++step)
        {
            const uint32_t rail = (first + step) % rails;
            const double load = GetLoad(sent, sentTo, rail, piece.bytes, view.GetLayout());
            if (load < least && view.Reaches(to, rail, rail))
            {
                least = load;
                piece.txRail = rail;
            }
        }
        piece.rxRail = piece.txRail;
        sent.byRail[piece.txRail] += static_cast<double>(piece.bytes);
        sentTo.byRail[piece.txRail] += static_cast<double>(piece.bytes);
    }
    for (uint32_t rail = 0; rail < sent.byRail.size(); ++rail)
    {
        NS_LOG_INFO("server " << view.server << " NIC " << rail << " sends " << sent.byRail[rail]
                              << " B");
    }
    return pieces;
}

uint32_t
RailsBalancer::GetPeriod(uint32_t nics) const
{
    return m_tie == TIE_ROTATED ? nics : 1;
}

} // namespace ns3::rails
