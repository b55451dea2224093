// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/double.h"
#include "ns3/rails-plus-balancer.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;

namespace
{

/// \return a number from 0 to 1 that depends on the arguments alone, so that all servers see the
/// same
double
Draw(uint64_t seed, uint64_t server, uint64_t direction)
{
    uint64_t mixed = (seed * 1'000'003 + server) * 2 + direction + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) / static_cast<double>(1ULL << 53);
}

void
Scale(rails::ServerTraffic& traffic, double factor)
{
    traffic.bytes = std::llround(static_cast<double>(traffic.bytes) * factor);
    traffic.frames = std::llround(static_cast<double>(traffic.frames) * factor);
}

} // namespace

/// rails-plus with counts that are wrong: each sum that servers tell each other is multiplied by a
/// number between two bounds, the same for all who hear it. What is sent is right.
class MiscountedBalancer : public rails::RailsPlusBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("MiscountedBalancer")
                                .SetParent<rails::RailsPlusBalancer>()
                                .AddConstructor<MiscountedBalancer>()
                                .AddAttribute("Least",
                                              "What a sum is multiplied by at least.",
                                              DoubleValue(0.9),
                                              MakeDoubleAccessor(&MiscountedBalancer::m_least),
                                              MakeDoubleChecker<double>(0))
                                .AddAttribute("Most",
                                              "What a sum is multiplied by at most.",
                                              DoubleValue(1.1),
                                              MakeDoubleAccessor(&MiscountedBalancer::m_most),
                                              MakeDoubleChecker<double>(0))
                                .AddAttribute("Draw",
                                              "Which of the draws.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&MiscountedBalancer::m_draw),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    std::vector<rails::Piece> Plan(const rails::ServerView& view,
                                   const rails::ServerSums& sums) override
    {
        rails::ServerSums told = sums;
        for (uint32_t server = 0; server < told.sent.size(); ++server)
        {
            Scale(told.sent[server], m_least + (m_most - m_least) * Draw(m_draw, server, 0));
            Scale(told.received[server], m_least + (m_most - m_least) * Draw(m_draw, server, 1));
        }
        return RailsPlusBalancer::Plan(view, told);
    }

  private:
    double m_least;
    double m_most;
    uint32_t m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(MiscountedBalancer);
