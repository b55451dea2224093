// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Several queue pairs share each message evenly, each with a path of its own, as the subflows of
 * MPTCP do: `balance.host: subflow`. (arXiv 2507.21372, Table 2)
 */
class SubflowPathSelector : public Forkable<SubflowPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    SubflowPathSelector()
    {
        m_traits.isShared = true;
        m_traits.spread = PathSpread::OnePath;
    }

    void Choose(TimePs now, Frame& frame) override;
    uint32_t GetSubflows() const override;

  private:
    uint32_t m_count{0};
};

NS_OBJECT_ENSURE_REGISTERED(SubflowPathSelector);

TypeId
SubflowPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::SubflowPathSelector").SetParent<PathSelector>(),
                         "Several queue pairs share each message, each with a path of its own, "
                         "as the subflows of MPTCP do. (arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<SubflowPathSelector>()
            .AddAttribute("Count",
                          "Queue pairs that share a message. (arXiv 2507.21372, Table 2)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&SubflowPathSelector::m_count),
                          MakeCountRange<uint32_t>(1, 256));
    return tid;
}

void
SubflowPathSelector::Choose(TimePs /* now */, Frame& /* frame */)
{
    // The entropy is the queue pair's number.
}

uint32_t
SubflowPathSelector::GetSubflows() const
{
    return m_count;
}

} // namespace ns3::rails
