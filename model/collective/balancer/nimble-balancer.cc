// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "matrix-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * NIMBLE: `balance: {type: nimble}`. Places all pairs of the matrix so that the most loaded link is
 * loaded as little as can be found: links are NICs in either direction, and the NVLinks of GPUs.
 * What one GPU has for another leaves by one of the rails. On the source GPU's own it goes straight
 * to the NIC, on another one NVLink carries it to a relay, a GPU near that NIC; likewise at the
 * other end. (arXiv 2604.00317)
 *
 * Multiplicative weights: every round takes up each part and puts it where its most loaded link,
 * times that link's weight, is the smallest; then weights grow with loads, so that a link that
 * stays the worst is avoided. The best round is the plan. Every server finds the same and keeps its
 * own part. The order of the parts, the rounds and the growth are our reading.
 */
class NimbleBalancer : public MatrixBalancer
{
  public:
    static TypeId GetTypeId();

    std::vector<Piece> Plan(const ServerView& view, const TrafficMatrix& matrix) override;

  private:
    class Routing;

    /// What one GPU has for another, or a part of it.
    struct Part
    {
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
        uint16_t rail;
    };

    static uint16_t FindNearRail(const ServerView& view, const Part& part);
    void AddParts(uint32_t source,
                  uint32_t destination,
                  uint64_t bytes,
                  std::vector<Part>& parts) const;
    void FindRails(Routing routing, std::vector<Part>& parts);

    ByteSize m_whole;
    ByteSize m_chunk;
    uint32_t m_rounds;
    double m_growth;
    double m_nvlink;

    // The last question and its answer: servers ask the same in turn.
    std::vector<uint64_t> m_question;
    std::vector<Part> m_answer;
};

namespace
{

uint64_t
ToBits(double number)
{
    uint64_t bits = 0;
    static_assert(sizeof bits == sizeof number);
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

} // namespace

/// Loads of all links, and which rail is best beside them.
class NimbleBalancer::Routing
{
  public:
    /// \param nvlink rate of a GPU's NVLink in parts of the fastest NIC's
    Routing(const ServerView& view, double nvlink)
        : m_view(view),
          m_shape(view.shape),
          m_rates(GetCount()),
          m_loads(GetCount(), 0),
          m_weights(GetCount(), 1)
    {
        for (uint32_t nic = 0; nic < m_shape.GetNics(); ++nic)
        {
            const double rate = m_view.GetRate(m_shape.GetNicServer(nic), m_shape.GetRail(nic));
            m_rates[nic] = rate;
            m_rates[m_shape.GetNics() + nic] = rate;
        }
        const double fastest = *std::max_element(m_rates.begin(), m_rates.end());
        std::fill(m_rates.begin() + 2 * m_shape.GetNics(), m_rates.end(), fastest * nvlink);
    }

    /// \return all that the rails of parts depend on besides the parts
    std::vector<uint64_t> Describe() const
    {
        std::vector<uint64_t> words;
        for (const std::vector<double>* numbers : {&m_rates, &m_loads})
        {
            std::transform(numbers->begin(), numbers->end(), std::back_inserter(words), ToBits);
        }
        if (!m_view.reach.empty())
        {
            words.push_back(m_view.server);
        }
        for (const auto& [server, ways] : m_view.reach)
        {
            words.push_back(server);
            words.insert(words.end(), ways.begin(), ways.end());
        }
        return words;
    }

    /// Adds what stays inside a server.
    void AddInside(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        const auto load = static_cast<double>(bytes);
        m_loads[GetOut(source)] += load / m_rates[GetOut(source)];
        m_loads[GetIn(destination)] += load / m_rates[GetIn(destination)];
    }

    /// Chooses the rail of a part and loads its links.
    void Place(Part& part)
    {
        const uint32_t rails = m_shape.nicsPerServer;
        const uint32_t own = FindNearRail(m_view, part);
        std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0};
        part.rail = kNoRail;
        for (uint32_t step = 0; step < rails; ++step)
        {
            const auto rail = static_cast<uint16_t>((own + step) % rails);
            if (!Leads(part, rail))
            {
                continue;
            }
            const std::pair<double, double> cost = GetCost(part, rail);
            if (cost < least)
            {
                least = cost;
                part.rail = rail;
            }
        }
        Load(part, 1);
    }

    /// Takes a part off its links.
    void Remove(const Part& part)
    {
        Load(part, -1);
    }

    double GetWorst() const
    {
        return *std::max_element(m_loads.begin(), m_loads.end());
    }

    /// Makes links dearer by their loads, the worst by the growth.
    void Grow(double growth)
    {
        const double worst = GetWorst();
        for (std::size_t link = 0; worst > 0 && link < m_loads.size(); ++link)
        {
            m_weights[link] *= 1 + growth * m_loads[link] / worst;
        }
    }

  private:
    /// The links of a path.
    struct Path
    {
        void Add(uint32_t link)
        {
            links[count++] = link;
        }

        std::array<uint32_t, 6> links;
        uint32_t count{0};
    };

    // Links are numbered: NICs that send, NICs that receive, NVLinks out of GPUs, and into them.

    uint32_t GetCount() const
    {
        return 2 * m_shape.GetNics() + 2 * m_shape.GetGpus();
    }

    uint32_t GetOut(uint32_t gpu) const
    {
        return 2 * m_shape.GetNics() + gpu;
    }

    uint32_t GetIn(uint32_t gpu) const
    {
        return 2 * m_shape.GetNics() + m_shape.GetGpus() + gpu;
    }

    /// \return whether nothing is known against a rail. What other servers know of their ways this
    /// one does not.
    bool Leads(const Part& part, uint16_t rail) const
    {
        const uint32_t from = m_shape.GetServer(part.source);
        const uint32_t to = m_shape.GetServer(part.destination);
        if (from == m_view.server)
        {
            return m_view.Reaches(to, rail, rail);
        }
        return m_rates[m_shape.GetNic(from, rail)] > 0 && m_rates[m_shape.GetNic(to, rail)] > 0;
    }

    /// \return the GPU of a server that is near a NIC: the GPU itself where it is
    uint32_t GetRelay(uint32_t gpu, uint16_t rail) const
    {
        const std::vector<uint16_t>& near = m_view.GetLayout().GetNearGpus(rail);
        const uint32_t local = m_shape.GetLocal(gpu);
        const bool isNear = std::find(near.begin(), near.end(), local) != near.end();
        return isNear ? gpu : gpu - local + near[local % near.size()];
    }

    Path FindPath(const Part& part, uint16_t rail) const
    {
        Path path;
        path.Add(m_shape.GetNic(m_shape.GetServer(part.source), rail));
        path.Add(m_shape.GetNics() + m_shape.GetNic(m_shape.GetServer(part.destination), rail));
        if (const uint32_t relay = GetRelay(part.source, rail); relay != part.source)
        {
            path.Add(GetOut(part.source));
            path.Add(GetIn(relay));
        }
        if (const uint32_t relay = GetRelay(part.destination, rail); relay != part.destination)
        {
            path.Add(GetOut(relay));
            path.Add(GetIn(part.destination));
        }
        return path;
    }

    /// \return what the dearest link of a path costs with a part more, then what all of them cost
    std::pair<double, double> GetCost(const Part& part, uint16_t rail) const
    {
        const Path path = FindPath(part, rail);
        std::pair<double, double> cost{0, 0};
        for (uint32_t i = 0; i < path.count; ++i)
        {
            const uint32_t link = path.links[i];
            // A NIC of which only this server knows that it is slow may have no rate.
            const double rate = std::max(m_rates[link], std::numeric_limits<double>::min());
            const double more = static_cast<double>(part.bytes) / rate;
            const double price = m_weights[link] * (m_loads[link] + more);
            cost = {std::max(cost.first, price), cost.second + price};
        }
        return cost;
    }

    void Load(const Part& part, double sign)
    {
        if (part.rail == kNoRail)
        {
            return;
        }
        const Path path = FindPath(part, part.rail);
        for (uint32_t i = 0; i < path.count; ++i)
        {
            if (const double rate = m_rates[path.links[i]]; rate > 0)
            {
                m_loads[path.links[i]] += sign * static_cast<double>(part.bytes) / rate;
            }
        }
    }

    const ServerView& m_view;
    const ClusterShape& m_shape;
    std::vector<double> m_rates;
    std::vector<double> m_loads;   // time in units of the rates
    std::vector<double> m_weights; // price of a load
};

NS_OBJECT_ENSURE_REGISTERED(NimbleBalancer);

TypeId
NimbleBalancer::GetTypeId()
{
    static TypeId tid =
        AddChunk(SetDocumentation(
                     TypeId("ns3::rails::NimbleBalancer").SetParent<MatrixBalancer>(),
                     "NIMBLE: places the pairs of the whole matrix on rails, straight or over "
                     "relays, GPUs near other NICs, so that the most loaded link has as little as "
                     "multiplicative weights find; links are NICs and NVLinks, and a path costs "
                     "what its dearest link does. (arXiv 2604.00317; ours, unknown there: longest "
                     "part first, which parts are moved when, and the numbers of the keys without "
                     "a source)")
                     .SetGroupName("Rails")
                     .AddConstructor<NimbleBalancer>(),
                 &NimbleBalancer::m_chunk,
                 ByteSize(1'000'000),
                 "Largest piece of what is split. (ours: what may not be split is no larger)")
            .AddAttribute("Whole",
                          "Most bytes from one GPU to another that are not split. (1 MB: arXiv "
                          "2604.00317)",
                          ByteSizeValue(ByteSize(1'000'000)),
                          MakeByteSizeAccessor(&NimbleBalancer::m_whole),
                          MakeByteRange(1, RangeTraits<ByteSizeValue>::kHighest))
            .AddAttribute(
                "Rounds",
                "How often all is placed; the best round counts. (ours: the first one is within "
                "1 % of what any plan must load where parts are small)",
                UintegerValue(8),
                MakeUintegerAccessor(&NimbleBalancer::m_rounds),
                MakeCountRange<uint32_t>(1, 1000))
            .AddAttribute("Growth",
                          "By how much the most loaded link gets dearer with each round. (ours)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&NimbleBalancer::m_growth),
                          MakeNumberRange(0, 1))
            .AddAttribute("Nvlink",
                          "Rate of a GPU's NVLink in each direction, in rates of the fastest NIC: "
                          "a planner is told nothing else of it. (9: 3600 Gbps beside 400 Gbps)",
                          DoubleValue(9),
                          MakeDoubleAccessor(&NimbleBalancer::m_nvlink),
                          MakeNumberRange(0.01, 1000));
    return tid;
}

/// \return the rail of the NIC near a part's source
uint16_t
NimbleBalancer::FindNearRail(const ServerView& view, const Part& part)
{
    return view.GetNearNic(part.source, view.shape.GetLocal(part.destination));
}

void
NimbleBalancer::AddParts(uint32_t source,
                         uint32_t destination,
                         uint64_t bytes,
                         std::vector<Part>& parts) const
{
    const uint64_t most = bytes <= m_whole.Get() ? bytes : m_chunk.Get();
    while (bytes > 0)
    {
        const uint64_t part = std::min(bytes, most);
        parts.push_back({source, destination, part, kNoRail});
        bytes -= part;
    }
}

std::vector<Piece>
NimbleBalancer::Plan(const ServerView& view, const TrafficMatrix& matrix)
{
    Routing routing(view, m_nvlink);
    std::vector<Part> parts;
    // Others as the matrix says; of what is its own a server knows what is left of it.
    for (uint32_t source = 0; source < view.shape.GetGpus(); ++source)
    {
        const uint32_t from = view.shape.GetServer(source);
        if (from == view.server && view.shape.GetLocal(source) == 0)
        {
            for (const LocalDemand& demand : view.demands)
            {
                AddParts(demand.source, demand.destination, demand.bytes, parts);
            }
        }
        for (const Demand& demand : matrix.GetRow(source))
        {
            if (view.shape.GetServer(demand.destination) == from)
            {
                routing.AddInside(source, demand.destination, demand.bytes);
            }
            else if (from != view.server)
            {
                AddParts(source, demand.destination, demand.bytes, parts);
            }
        }
    }
    FindRails(std::move(routing), parts);
    // The own parts are in the order of the demands.
    auto part = std::find_if(parts.begin(), parts.end(), [&view](const Part& one) {
        return view.shape.GetServer(one.source) == view.server;
    });
    std::vector<Piece> pieces;
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        for (uint64_t left = view.demands[demand].bytes; left > 0; ++part)
        {
            // Where no way leads now, a piece waits at the NIC of its GPU until there is one.
            const uint16_t rail = part->rail != kNoRail ? part->rail : FindNearRail(view, *part);
            pieces.push_back({demand, part->bytes, rail, rail});
            left -= part->bytes;
        }
    }
    return pieces;
}

void
NimbleBalancer::FindRails(Routing routing, std::vector<Part>& parts)
{
    std::vector<uint64_t> question = routing.Describe();
    question.insert(question.end(), {m_rounds, ToBits(m_growth)});
    for (const Part& part : parts)
    {
        question.insert(question.end(), {part.source, part.destination, part.bytes});
    }
    if (question == m_question)
    {
        parts = m_answer;
        return;
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&parts](std::size_t one, std::size_t other) {
        return parts[one].bytes > parts[other].bytes;
    });
    double least = std::numeric_limits<double>::infinity();
    std::vector<Part> best;
    for (uint32_t round = 0; round < m_rounds; ++round)
    {
        for (const std::size_t place : order)
        {
            routing.Remove(parts[place]);
            routing.Place(parts[place]);
        }
        if (const double worst = routing.GetWorst(); worst < least)
        {
            least = worst;
            best = parts;
        }
        routing.Grow(m_growth);
    }
    parts = std::move(best);
    m_question = std::move(question);
    m_answer = parts;
}

} // namespace ns3::rails
