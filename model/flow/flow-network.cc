// SPDX-License-Identifier: GPL-2.0-only
#include "flow-network.h"

#include "ns3/fabric-ports.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFlowNetwork");

namespace
{

/// Unit to which shares of a class are rounded, so that queue pairs with similar messages share a
/// class.
constexpr double kShareUnit = 1.0 / (1 << 20);

/// Loads of ACKs that change by less than this part of a link's rate keep their counted value. A
/// completion time changes by less than that, and rates are found twice as fast as with 1e-6.
constexpr double kAckPrecision = 1e-5;

/// Relative change up to which a supply counts as unchanged.
constexpr double kSameFeed = 1e-12;

/// An unlimited supply, in bytes per second.
constexpr double kEnough = 1e18;

double
RoundShare(double share)
{
    return std::floor(share / kShareUnit + 0.5) * kShareUnit;
}

} // namespace

FlowNetwork::FlowNetwork(std::shared_ptr<Wiring> wiring,
                         std::shared_ptr<Router> router,
                         const FlowSettings& settings)
    : m_wiring(std::move(wiring)),
      m_router(std::move(router)),
      m_settings(settings),
      m_precision(kRatesOff / 10 * settings.tolerance),
      m_interior(*m_wiring),
      m_paths(m_router, settings.spread),
      m_inside(m_wiring->GetShape().servers, 0),
      m_carriedBefore(2 * m_wiring->GetCables().size())
{
    MakeResources();
}

int64_t
FlowNetwork::AssignStreams(int64_t stream)
{
    return m_paths.AssignStreams(stream, m_settings.streamsPerSwitch);
}

void
FlowNetwork::MakeResources()
{
    m_solver = std::make_unique<MaxMinSolver>();
    m_solver->SetLoadPrecision(std::max(kAckPrecision, m_precision));
    if (m_precision > 0)
    {
        m_solver->SetRatePrecision(m_precision);
    }
    m_classes.clear();
    m_classOf.clear();
    m_unusedFeeds.clear();
    m_bundleOf.assign(2 * m_wiring->GetCables().size(), 0);
    m_carried.assign(m_paths.GetBundles(), {});
    for (uint32_t bundle = 0; bundle < m_paths.GetBundles(); ++bundle)
    {
        for (const uint32_t direction : m_paths.GetDirections(bundle))
        {
            m_bundleOf[direction] = bundle;
        }
        m_solver->AddConstraint(GetBundleCapacity(bundle));
    }
    m_firstLink = m_paths.GetBundles();
    for (uint32_t server = 0; server < m_wiring->GetShape().servers; ++server)
    {
        for (const ServerInterior::Link& link : m_interior.GetInterior().GetLinks())
        {
            m_solver->AddConstraint(ToCapacity(link.rateBps));
        }
    }
    NS_LOG_INFO("made " << m_firstLink << " bundles of cables");
}

/// \return capacity for flows in bytes per second of a rate in bit/s; lower with a tolerance, so
/// that rounded rates do not overload the link
double
FlowNetwork::ToCapacity(uint64_t rateBps) const
{
    return static_cast<double>(rateBps) / kBitsPerByte * (1 - m_precision);
}

// All directions of a bundle carry equal shares, so the slowest one limits them all.
double
FlowNetwork::GetBundleCapacity(uint32_t bundle) const
{
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const uint32_t direction : m_paths.GetDirections(bundle))
    {
        const uint32_t number = GetCableOfDirection(direction);
        slowest =
            std::min(slowest,
                     m_wiring->IsCarrying(number) ? m_wiring->GetCables()[number].rateBps : 0);
    }
    return ToCapacity(slowest);
}

bool
FlowNetwork::Key::operator==(const Key& other) const
{
    return ends == other.ends && gpus == other.gpus && shares == other.shares &&
           bundles == other.bundles;
}

std::size_t
FlowNetwork::KeyHash::operator()(const Key& key) const
{
    uint64_t hash = key.ends;
    const auto mix = [&](uint64_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    };
    mix(key.gpus);
    mix(key.shares);
    for (const uint32_t bundle : key.bundles)
    {
        mix(bundle);
    }
    return hash;
}

FlowNetwork::Key
FlowNetwork::MakeKey(const FlowRoute& route, const FlowPath& path) const
{
    constexpr uint64_t kInside = uint64_t{1} << 63;
    Key key;
    key.ends = uint64_t{route.from} << 32 | route.to;
    key.ends |= route.IsPair() ? 0 : kInside;
    key.gpus = uint64_t{route.fromGpu} << 32 | route.toGpu;
    key.shares = static_cast<uint64_t>(route.payloadShare / kShareUnit) << 32 |
                 static_cast<uint64_t>(route.ackShare / kShareUnit);
    if (m_settings.spread == PathSpread::OnePath || m_wiring->HasOptical())
    {
        for (const FlowPath::Part& part : path.parts)
        {
            key.bundles.push_back(part.bundle);
        }
    }
    return key;
}

uint32_t
FlowNetwork::Join(const FlowRoute& wanted)
{
    FlowRoute route = wanted;
    route.payloadShare = RoundShare(route.payloadShare);
    route.ackShare = RoundShare(route.ackShare);
    FlowPath path;
    if (route.IsPair())
    {
        path = m_paths.Find(route.from, route.to, route.entropy);
        if (path.parts.empty() || !m_wiring->GetCircuits().MayJoin(route.from, route.to))
        {
            return kNoWay;
        }
    }
    const uint32_t flowClass = FindClass(route, path);
    ++m_classes[flowClass].flows;
    m_solver->SetWeight(flowClass, m_classes[flowClass].flows);
    CountInside(route, 1);
    return flowClass;
}

uint32_t
FlowNetwork::FindClass(const FlowRoute& route, const FlowPath& path)
{
    if (m_settings.queuePairPer == FlowSettings::QueuePairPer::NicPair || route.IsStage() ||
        route.isFed)
    {
        return AddClass(route, path); // hardly any other flow has the same constraints
    }
    Key key = MakeKey(route, path);
    const auto known = m_classOf.find(key);
    if (known != m_classOf.end())
    {
        return known->second;
    }
    const uint32_t flowClass = AddClass(route, path);
    m_classOf.emplace(key, flowClass);
    m_classes[flowClass].key = std::make_unique<Key>(std::move(key));
    return flowClass;
}

uint32_t
FlowNetwork::AddClass(const FlowRoute& route, const FlowPath& path)
{
    const ClusterShape& shape = m_wiring->GetShape();
    m_uses.clear();
    m_loads.clear();
    Class added;
    switch (route.kind)
    {
    case FlowRoute::Kind::Pair:
        AddPair(route, path, added.times);
        break;
    case FlowRoute::Kind::Inside:
        AddInterior(shape.GetServer(route.from),
                    shape.GetLocal(route.from),
                    shape.GetLocal(route.to),
                    1);
        break;
    case FlowRoute::Kind::Reading:
        AddInterior(shape.GetNicServer(route.from),
                    route.fromGpu,
                    m_interior.GetNicEnd(shape.GetRail(route.from)),
                    1);
        break;
    case FlowRoute::Kind::Sending:
        m_uses.push_back({m_bundleOf[GetUpDirection(route.from)], 1});
        break;
    case FlowRoute::Kind::Writing:
        AddInterior(shape.GetNicServer(route.to),
                    m_interior.GetNicEnd(shape.GetRail(route.to)),
                    route.toGpu,
                    1);
        break;
    }
    if (route.isFed)
    {
        added.feed = AddFeed();
        m_uses.push_back({added.feed, 1});
    }
    const uint32_t flowClass = m_solver->AddVariable(m_uses, m_loads);
    if (flowClass >= m_classes.size())
    {
        m_classes.resize(flowClass + 1);
    }
    m_classes[flowClass] = std::move(added);
    return flowClass;
}

void
FlowNetwork::AddPair(const FlowRoute& route, const FlowPath& path, Times& times)
{
    const ClusterShape& shape = m_wiring->GetShape();
    for (const FlowPath::Part& part : path.parts)
    {
        if (!route.isBehindNic || part.bundle != m_bundleOf[GetUpDirection(route.from)])
        {
            m_uses.push_back({part.bundle, part.share});
        }
    }
    if (route.fromGpu != FlowRoute::kAnyGpu)
    {
        AddInterior(shape.GetNicServer(route.from),
                    route.fromGpu,
                    m_interior.GetNicEnd(shape.GetRail(route.from)),
                    route.payloadShare);
    }
    if (route.toGpu != FlowRoute::kAnyGpu)
    {
        AddInterior(shape.GetNicServer(route.to),
                    m_interior.GetNicEnd(shape.GetRail(route.to)),
                    route.toGpu,
                    route.payloadShare);
    }
    const FlowPath back = FindBack(route);
    for (const FlowPath::Part& part : back.parts)
    {
        if (route.ackShare > 0)
        {
            m_loads.push_back({part.bundle, part.share * route.ackShare});
        }
    }
    const FlowPath& reply = TakesTurns(route) ? path : back;
    const auto ack = static_cast<double>(m_settings.frames.GetAckWire(1));
    const double one =
        kBytePicoseconds / static_cast<double>(m_wiring->GetNicKind(route.from).rateBps);
    const double other =
        kBytePicoseconds / static_cast<double>(m_wiring->GetNicKind(route.to).rateBps);
    times.delay = path.delay;
    times.storing = path.storing;
    times.slowest = std::max(one, other);
    times.reply = reply.delay + static_cast<TimePs>((reply.storing + times.slowest) * ack) + 1;
}

/// \return the path of a flow's ACKs; empty where no circuit leads back: these few bytes take the
/// packet fabric, and are not counted there
FlowPath
FlowNetwork::FindBack(const FlowRoute& route) const
{
    return TakesTurns(route) ? FlowPath{} : m_paths.Find(route.to, route.from, route.entropy);
}

/// \return true for a flow over time-slotted circuits, which have one direction each
bool
FlowNetwork::TakesTurns(const FlowRoute& route) const
{
    return m_wiring->GetCircuits().AreTimeSlotted() && m_wiring->IsOptical(route.from);
}

/// \return a constraint for the supply of a flow, 0 at first
uint32_t
FlowNetwork::AddFeed()
{
    if (m_unusedFeeds.empty())
    {
        return m_solver->AddConstraint(0);
    }
    const uint32_t feed = m_unusedFeeds.back();
    m_unusedFeeds.pop_back();
    m_solver->SetCapacity(feed, 0);
    return feed;
}

double
FlowNetwork::SetFeed(uint32_t flowClass, double rate)
{
    const uint32_t feed = m_classes[flowClass].feed;
    const double capacity = std::min(rate, kEnough);
    const double before = m_solver->GetCapacity(feed);
    const double move = std::fabs(capacity - before);
    if (move <= kSameFeed * capacity)
    {
        return 0;
    }
    m_solver->SetCapacity(feed, capacity);
    return move / std::max(capacity, before);
}

void
FlowNetwork::AddInterior(uint32_t server, uint32_t from, uint32_t to, double share)
{
    const auto links = static_cast<uint32_t>(m_interior.GetInterior().GetLinks().size());
    for (const uint32_t link : m_interior.GetLinks(from, to))
    {
        m_uses.push_back({m_firstLink + server * links + link, share});
    }
}

void
FlowNetwork::CountInside(const FlowRoute& route, int change)
{
    if (route.kind == FlowRoute::Kind::Inside)
    {
        m_inside[m_wiring->GetShape().GetServer(route.from)] += static_cast<uint32_t>(change);
    }
}

/// Calls a function for each bundle on the paths of a flow and of its ACKs, with the data and ACK
/// bytes that each direction of the bundle carried.
template <typename Function>
void
FlowNetwork::ForEachPart(const FlowRoute& route,
                         double wireBytes,
                         double ackBytes,
                         Function function) const
{
    if (!route.IsPair())
    {
        return;
    }
    for (const FlowPath::Part& part : m_paths.Find(route.from, route.to, route.entropy).parts)
    {
        function(part.bundle, part.share * wireBytes, 0);
    }
    for (const FlowPath::Part& part : FindBack(route).parts)
    {
        function(part.bundle, 0, part.share * ackBytes);
    }
}

void
FlowNetwork::Leave(uint32_t flowClass,
                   const FlowRoute& route,
                   double wireBytes,
                   double ackBytes,
                   TimePs now)
{
    ForEachPart(route, wireBytes, ackBytes, [&](uint32_t bundle, double data, double acks) {
        m_carried[bundle].Add(data, acks, now);
    });
    CountInside(route, -1);
    Class& left = m_classes[flowClass];
    --left.flows;
    m_solver->SetWeight(flowClass, left.flows);
    if (left.flows == 0)
    {
        if (left.key)
        {
            m_classOf.erase(*left.key);
        }
        if (left.feed != kNoFeed)
        {
            m_unusedFeeds.push_back(left.feed);
        }
        m_solver->RemoveVariable(flowClass);
    }
}

void
FlowNetwork::SetPresence(uint32_t flowClass, double part)
{
    m_solver->SetWeight(flowClass, part * m_classes[flowClass].flows);
}

void
FlowNetwork::OnCable(uint32_t cable)
{
    for (const uint32_t direction : {GetUpDirection(cable), GetDownDirection(cable)})
    {
        const uint32_t bundle = m_bundleOf[direction];
        m_solver->SetCapacity(bundle, GetBundleCapacity(bundle));
    }
}

bool
FlowNetwork::IsUsed(uint32_t cable) const
{
    return m_solver->IsUsed(m_bundleOf[GetUpDirection(cable)]) ||
           m_solver->IsUsed(m_bundleOf[GetDownDirection(cable)]);
}

void
FlowNetwork::AddCarried(std::vector<Carried>& sums) const
{
    for (uint32_t bundle = 0; bundle < m_carried.size(); ++bundle)
    {
        const Carried& carried = m_carried[bundle];
        for (const uint32_t direction : m_paths.GetDirections(bundle))
        {
            sums[direction].Add(carried.data, carried.acks, carried.last);
        }
    }
}

void
FlowNetwork::Refresh()
{
    AddCarried(m_carriedBefore);
    m_paths.Refresh();
    MakeResources();
}

std::vector<FlowNetwork::Carried>
FlowNetwork::GetCarried() const
{
    std::vector<Carried> all = m_carriedBefore;
    AddCarried(all);
    return all;
}

void
FlowNetwork::AddUnderWay(std::vector<Carried>& carried,
                         const FlowRoute& route,
                         double wireBytes,
                         double ackBytes,
                         TimePs now) const
{
    ForEachPart(route, wireBytes, ackBytes, [&](uint32_t bundle, double data, double acks) {
        for (const uint32_t direction : m_paths.GetDirections(bundle))
        {
            carried[direction].Add(data, acks, now);
        }
    });
}

std::vector<FlowNetwork::WayPart>
FlowNetwork::GetWay(const FlowRoute& route) const
{
    const auto getRate = [this](uint32_t direction) {
        return m_wiring->GetCables()[GetCableOfDirection(direction)].rateBps;
    };
    std::vector<WayPart> way;
    for (const FlowPath::Part& part : m_paths.Find(route.from, route.to, route.entropy).parts)
    {
        const std::vector<uint32_t>& directions = m_paths.GetDirections(part.bundle);
        const auto slowest = std::min_element(
            directions.begin(),
            directions.end(),
            [&getRate](uint32_t one, uint32_t other) { return getRate(one) < getRate(other); });
        way.push_back({*slowest, part.share});
    }
    return way;
}

const MaxMinSolver&
FlowNetwork::GetSolver() const
{
    return *m_solver;
}

} // namespace ns3::rails
