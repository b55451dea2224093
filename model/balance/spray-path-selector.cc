// SPDX-License-Identifier: GPL-2.0-only
#include "spray-path-selector.h"

#include "entropy-draw.h"

#include "ns3/enum.h"
#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SprayPathSelector);

TypeId
SprayPathSelector::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using EntropyValue = decltype(EnumValue(WALK));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::SprayPathSelector").SetParent<PathSelector>(),
                 "Another path for every frame, whatever becomes of them. (Host Pkt of "
                 "arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<SprayPathSelector>()
            .AddAttribute("Entropy",
                          "Entropy of a frame: one more than that of the frame before it, from a "
                          "start that each queue pair draws (our choice), or random. (walk: public "
                          "simulator of arXiv 2507.21372)",
                          EnumValue(WALK),
                          MakeAccessorHelper<EntropyValue>(&SprayPathSelector::m_entropy),
                          MakeEnumChecker(WALK, "walk", RANDOM, "random"));
    return tid;
}

Ptr<PathSelector>
SprayPathSelector::Fork()
{
    return CopyObject<SprayPathSelector>(Ptr<const SprayPathSelector>(this));
}

void
SprayPathSelector::Start(TimePs /* now */, const PathContext& context)
{
    m_random = context.random;
    m_next = DrawEntropy(*m_random);
}

void
SprayPathSelector::Choose(TimePs /* now */, Frame& frame)
{
    frame.entropy = m_entropy == WALK ? m_next++ : DrawEntropy(*m_random);
}

bool
SprayPathSelector::ScattersFrames() const
{
    return true;
}

PathSpread
SprayPathSelector::GetSpread() const
{
    return PathSpread::Even;
}

} // namespace ns3::rails
