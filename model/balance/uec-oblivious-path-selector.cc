// SPDX-License-Identifier: GPL-2.0-only
#include "uec-oblivious-path-selector.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UecObliviousPathSelector);

TypeId
UecObliviousPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::UecObliviousPathSelector")
                            .SetParent<UecPathSelector>()
                            .SetGroupName("Rails")
                            .AddConstructor<UecObliviousPathSelector>()
                            .AddAttribute("About",
                                          "All paths in turn, whatever becomes of the frames.",
                                          0,
                                          EmptyAttributeValue(),
                                          MakeEmptyAttributeAccessor(),
                                          MakeEmptyAttributeChecker());
    return tid;
}

Ptr<PathSelector>
UecObliviousPathSelector::Fork()
{
    return CopyObject<UecObliviousPathSelector>(Ptr<const UecObliviousPathSelector>(this));
}

void
UecObliviousPathSelector::Choose(TimePs /* now */, Frame& frame)
{
    frame.entropy = GetEntropy(GetTurn());
    EndTurn();
}

} // namespace ns3::rails
