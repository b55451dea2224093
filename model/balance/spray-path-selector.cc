// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-draw.h"
#include "path-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/word-accessor.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Another entropy for every frame, whatever becomes of them: `balance.host: spray`, the Host Pkt of
 * the paper. (arXiv 2507.21372, Table 2)
 */
class SprayPathSelector : public Forkable<SprayPathSelector, PathSelector>
{
  public:
    /// Where the next entropy comes from.
    enum Entropy
    {
        WALK,  //!< one more than the last, from a random start
        RANDOM //!< 32 random bits
    };

    static TypeId GetTypeId();

    SprayPathSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.spread = PathSpread::Even;
    }

    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;

  private:
    Entropy m_entropy{WALK};
    uint32_t m_next{0};
    Ptr<UniformRandomVariable> m_random;
};

NS_OBJECT_ENSURE_REGISTERED(SprayPathSelector);

TypeId
SprayPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::SprayPathSelector").SetParent<PathSelector>(),
                         "Another path for every frame, whatever becomes of them. (Host Pkt of "
                         "arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<SprayPathSelector>()
            .AddAttribute("Entropy",
                          "Entropy of a frame: one more than that of the frame before it, from a "
                          "start that each queue pair draws (our choice), or random. (walk: public "
                          "simulator of arXiv 2507.21372)",
                          EnumValue(WALK),
                          MakeWordAccessor(&SprayPathSelector::m_entropy),
                          MakeEnumChecker(WALK, "walk", RANDOM, "random"));
    return tid;
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

} // namespace ns3::rails
