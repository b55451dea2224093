// SPDX-License-Identifier: GPL-2.0-only
#include "balancer.h"

#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Balancer);

namespace
{

/**
 * Rails that do not work are dealt to the others: each to the next one that has taken over least.
 * \param works whether a rail does
 * \return the rail itself where it works, or where none does
 */
template <typename Works>
uint16_t
Deal(uint16_t rail, uint32_t rails, const Works& works)
{
    uint16_t taker = rail;
    std::vector<uint32_t> taken(works(rail) ? 0 : rails);
    for (uint32_t dead = 0; !taken.empty() && dead <= rail; ++dead)
    {
        if (works(dead))
        {
            continue;
        }
        taker = rail;
        for (uint32_t step = 1; step < rails; ++step)
        {
            const uint32_t other = (dead + step) % rails;
            if (works(other) && (taker == rail || taken[other] < taken[taker]))
            {
                taker = static_cast<uint16_t>(other);
            }
        }
        ++taken[taker];
    }
    return taker;
}

} // namespace

ServerView
MakeServerView(const TrafficMatrix& matrix,
               uint32_t server,
               std::shared_ptr<const ServerLayout> layout)
{
    ServerView view{matrix.GetShape(), server, {}, {}, std::move(layout)};
    const uint32_t first = server * view.shape.gpusPerServer;
    for (uint32_t source = first; source < first + view.shape.gpusPerServer; ++source)
    {
        for (const Demand& demand : matrix.GetRow(source))
        {
            if (view.shape.GetServer(demand.destination) != server)
            {
                view.demands.push_back({source, demand.destination, demand.bytes});
            }
        }
    }
    return view;
}

void
ServerView::SetGroup(const std::vector<uint32_t>& members)
{
    const auto size = static_cast<uint32_t>(members.size());
    const uint32_t first = shape.GetLocal(members.front());
    const uint32_t apart = size > 1 ? members[1] - members[0] : 1;
    group = first / (size * apart) * apart + first % apart;
    groups = shape.gpusPerServer / size;
}

uint32_t
ServerView::GetFirstRail() const
{
    return (server + group * shape.nicsPerServer / groups) % shape.nicsPerServer;
}

const ServerLayout&
ServerView::GetLayout() const
{
    if (!layout)
    {
        layout = std::make_shared<ServerLayout>(shape.gpusPerServer, shape.nicsPerServer);
    }
    return *layout;
}

bool
ServerView::Reaches(uint32_t to, uint32_t txRail, uint32_t rxRail) const
{
    const auto known = reach.find(to);
    return known == reach.end() || known->second[txRail * shape.nicsPerServer + rxRail];
}

std::vector<uint16_t>
ServerView::GetRails(uint32_t to) const
{
    std::vector<uint16_t> rails;
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        if (Reaches(to, rail, rail))
        {
            rails.push_back(static_cast<uint16_t>(rail));
        }
    }
    return rails;
}

uint16_t
ServerView::MoveRail(uint32_t to, uint16_t rail) const
{
    return Deal(rail, shape.nicsPerServer, [this, to](uint32_t any) {
        return Reaches(to, any, any);
    });
}

std::pair<uint16_t, uint16_t>
ServerView::MoveRails(uint32_t to, uint16_t txRail, uint16_t rxRail) const
{
    const uint32_t rails = shape.nicsPerServer;
    const uint16_t tx = Deal(txRail, rails, [this, to, rails](uint32_t any) {
        uint32_t rx = 0;
        while (rx < rails && !Reaches(to, any, rx))
        {
            ++rx;
        }
        return rx < rails;
    });
    return {tx, Deal(rxRail, rails, [this, to, tx](uint32_t any) { return Reaches(to, tx, any); })};
}

uint16_t
ServerView::GetNearNic(uint32_t gpu, uint32_t turn) const
{
    return GetLayout().GetNearNic(shape.GetLocal(gpu), turn);
}

double
ServerView::GetRate(uint32_t server, uint32_t rail) const
{
    return getNicRate ? static_cast<double>(getNicRate(server, rail)) : GetLayout().GetSpeed(rail);
}

std::vector<std::pair<uint16_t, double>>
ServerView::GetRailRates(uint32_t to) const
{
    std::vector<std::pair<uint16_t, double>> rates;
    for (const uint16_t rail : GetRails(to))
    {
        rates.emplace_back(rail, std::min(GetRate(server, rail), GetRate(to, rail)));
    }
    return rates;
}

TypeId
Balancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::Balancer")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Other",
                          "What places all but exchanges on rails, such as gradients and what goes "
                          "to the next stage of a pipeline in a graph or a training; without it "
                          "the same.",
                          EmptyAttributeValue(),
                          MakePointerAccessor(&Balancer::m_other),
                          MakePointerChecker<Balancer>())
            .AddAttribute("PlanningTime",
                          "From when a server has all that it needs for its plan until it begins "
                          "to send; by default none. (ours: measured by ./rails bench planners)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Balancer::m_planningTime),
                          MakeTimeRange(0, kNever / 2));
    return tid;
}

void
Balancer::DoDispose()
{
    m_other = nullptr;
    Object::DoDispose();
}

Ptr<Balancer>
Balancer::GetOtherBalancer() const
{
    return m_other;
}

TimePs
Balancer::GetPlanningTime() const
{
    return m_planningTime.GetPicoSeconds();
}

uint32_t
Balancer::GetPeriod(uint32_t /* nics */) const
{
    return 0;
}

bool
Balancer::PlansApart(const ServerLayout& /* layout */) const
{
    return false;
}

bool
Balancer::UsesCircuits() const
{
    return false;
}

bool
Balancer::AnyCrossesRails() const
{
    return CrossesRails() || (m_other && m_other->CrossesRails());
}

bool
Balancer::CrossesRails() const
{
    return false;
}

uint32_t
Balancer::GetDepth() const
{
    return 1;
}

uint16_t
Balancer::ChooseRail(const ServerView&, const Piece& piece, const std::vector<uint64_t>&)
{
    return piece.txRail;
}

double
Balancer::EstimatePieces(double bytes, const ClusterShape&, bool) const
{
    ByteSizeValue chunk(ByteSize::Special());
    GetAttributeFailSafe("Chunk", chunk);
    return EstimateParts(bytes, chunk.Get());
}

double
Balancer::EstimateParts(double bytes, ByteSize chunk)
{
    const auto most = static_cast<double>(chunk.Get());
    return bytes <= most ? 1 : bytes / most + 0.5;
}

int64_t
Balancer::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
