// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"
#include "row-balancer.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"

namespace ns3::rails
{

/**
 * `delegates`: what goes to a server that a circuit leads to takes the circuits that do, in equal
 * parts, and nothing else; all other traffic takes the NICs of the packet fabric, in parts as their
 * rates. The GPUs at these NICs are delegates of the others, which hand bytes over to them and get
 * them from them over NVLink. (MixNet, arXiv 2501.03905, section 5.3)
 */
class DelegatesBalancer : public RowBalancer
{
  public:
    static TypeId GetTypeId();

    DelegatesBalancer()
    {
        m_traits.takesDetours = true;
    }

    std::vector<Piece> Plan(const ServerView& view) override;
    bool UsesCircuits() const override;

  private:
    NicWays FindWays(const ServerView& view, uint32_t to) const;

    bool m_usesCircuits{true};
};

NS_OBJECT_ENSURE_REGISTERED(DelegatesBalancer);

TypeId
DelegatesBalancer::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::DelegatesBalancer").SetParent<RowBalancer>(),
            "What goes to a server that circuits lead to takes these, all else the NICs of the "
            "packet fabric, in parts as their rates. (MixNet, arXiv "
            "2501.03905, section 5.3)")
            .SetGroupName("Rails")
            .AddConstructor<DelegatesBalancer>()
            .AddAttribute("UsesCircuits",
                          "Whether circuits are taken at all; in balance.other false keeps what is "
                          "no exchange on the packet fabric. (MixNet, Table 3)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DelegatesBalancer::m_usesCircuits),
                          MakeBooleanChecker());
    return tid;
}

/// \return pairs of NICs that what goes to a server takes
NicWays
DelegatesBalancer::FindWays(const ServerView& view, uint32_t to) const
{
    const auto circuits = view.circuits.find(to);
    if (m_usesCircuits && circuits != view.circuits.end())
    {
        return circuits->second;
    }
    NicWays ways;
    for (const uint16_t rail : view.GetRails(to))
    {
        ways.push_back({rail, rail});
    }
    if (ways.empty())
    {
        // Its NICs of the packet fabric are gone, so others pass things on.
        const auto rails = static_cast<uint16_t>(view.shape.nicsPerServer);
        for (uint16_t tx = 0; tx < rails; ++tx)
        {
            for (uint16_t rx = 0; rx < rails; ++rx)
            {
                if (view.Reaches(to, tx, rx))
                {
                    ways.push_back({tx, rx});
                }
            }
        }
    }
    return ways;
}

std::vector<Piece>
DelegatesBalancer::Plan(const ServerView& view)
{
    return SplitOverWays(view, [&](uint32_t to) { return FindWays(view, to); });
}

bool
DelegatesBalancer::UsesCircuits() const
{
    return m_usesCircuits;
}

} // namespace ns3::rails
