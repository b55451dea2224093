// SPDX-License-Identifier: GPL-2.0-only
#include "uec-oblivious-path-selector.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UecObliviousPathSelector);

TypeId
UecObliviousPathSelector::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::UecObliviousPathSelector").SetParent<UecPathSelector>(),
                 "All paths in turn, whatever becomes of the frames.")
            .SetGroupName("Rails")
            .AddConstructor<UecObliviousPathSelector>();
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
