// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-ring.h"
#include "uec-bitmap-path-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * An entropy that came back without a mark, oldest first; when there is none, what `uec-bitmap`
 * would take: `balance.host: uec-mixed`. Each such entropy is used again once.
 */
class UecMixedPathSelector : public Forkable<UecMixedPathSelector, UecBitmapPathSelector>
{
  public:
    static TypeId GetTypeId();

    void Start(TimePs now, const PathContext& context) override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

  protected:
    uint32_t TakeIndex() override;

  private:
    uint32_t m_ringSize{0};
    EntropyRing m_ring; // of numbers from 0 to GetPaths() - 1
};

NS_OBJECT_ENSURE_REGISTERED(UecMixedPathSelector);

TypeId
UecMixedPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::UecMixedPathSelector").SetParent<UecBitmapPathSelector>(),
            "Paths whose frames came back without a mark, oldest first, each once; "
            "when there is none, what uec-bitmap would take.")
            .SetGroupName("Rails")
            .AddConstructor<UecMixedPathSelector>()
            .AddAttribute("Ring",
                          "Entropies that a queue pair keeps for use again; a newer one takes the "
                          "place of the oldest. (our choice; uet-htsim keeps all)",
                          UintegerValue(64),
                          MakeUintegerAccessor(&UecMixedPathSelector::m_ringSize),
                          MakeCountRange<uint32_t>(1, 4096));
    return tid;
}

void
UecMixedPathSelector::Start(TimePs now, const PathContext& context)
{
    UecBitmapPathSelector::Start(now, context);
    m_ring = EntropyRing(m_ringSize, 1);
}

uint32_t
UecMixedPathSelector::TakeIndex()
{
    return m_ring.HasFresh() ? m_ring.Take() : UecBitmapPathSelector::TakeIndex();
}

void
UecMixedPathSelector::OnFeedback(TimePs now, const PathFeedback& feedback)
{
    UecBitmapPathSelector::OnFeedback(now, feedback);
    if (feedback.kind == PathFeedback::Kind::Ack && !feedback.marked)
    {
        m_ring.Push(static_cast<uint16_t>(GetIndex(feedback.entropy)));
    }
}

} // namespace ns3::rails
