// SPDX-License-Identifier: GPL-2.0-only
#include "dealing-balancer.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

/**
 * Each piece to the NIC with the fewest unsent bytes, decided as it is sent:
 * `balance: {type: least-outstanding}`. Ties go to the first such rail counted from the server's
 * own number on.
 */
class LeastOutstandingBalancer : public DealingBalancer
{
  public:
    static TypeId GetTypeId();

    LeastOutstandingBalancer()
    {
        m_traits.choosesAtSending = true;
    }

    std::vector<Piece> Plan(const ServerView& view) override;
    uint32_t GetDepth() const override;
    uint16_t ChooseRail(const ServerView& view,
                        const Piece& piece,
                        const std::vector<uint64_t>& unsentBytes) override;

  private:
    uint32_t m_depth;
};

NS_OBJECT_ENSURE_REGISTERED(LeastOutstandingBalancer);

TypeId
LeastOutstandingBalancer::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::LeastOutstandingBalancer").SetParent<DealingBalancer>(),
            "Gives each piece, as it is sent, to the NIC of its server that has the "
            "fewest bytes to send.")
            .SetGroupName("Rails")
            .AddConstructor<LeastOutstandingBalancer>()
            .AddAttribute("Depth",
                          "Pieces that a server keeps posted and unsent on each NIC; the others "
                          "wait for a NIC to become free.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LeastOutstandingBalancer::m_depth),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

std::vector<Piece>
LeastOutstandingBalancer::Plan(const ServerView& view)
{
    return Cut(view);
}

uint32_t
LeastOutstandingBalancer::GetDepth() const
{
    return m_depth;
}

uint16_t
LeastOutstandingBalancer::ChooseRail(const ServerView& view,
                                     const Piece&,
                                     const std::vector<uint64_t>& unsentBytes)
{
    const uint32_t rails = view.shape.nicsPerServer;
    uint16_t least = view.server % rails;
    for (uint32_t step = 1; step < rails; ++step)
    {
        const uint16_t rail = (view.server + step) % rails;
        if (unsentBytes[rail] < unsentBytes[least])
        {
            least = rail;
        }
    }
    return least;
}

} // namespace ns3::rails
