// SPDX-License-Identifier: GPL-2.0-only
#include "uec-path-selector.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/// Walks over all entropies, whatever becomes of the frames: `balance.host: uec-oblivious`.
class UecObliviousPathSelector : public Forkable<UecObliviousPathSelector, UecPathSelector>
{
  public:
    static TypeId GetTypeId();

    void Choose(TimePs now, Frame& frame) override;
};

NS_OBJECT_ENSURE_REGISTERED(UecObliviousPathSelector);

TypeId
UecObliviousPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::UecObliviousPathSelector").SetParent<UecPathSelector>(),
            "All paths in turn, whatever becomes of the frames.")
            .SetGroupName("Rails")
            .AddConstructor<UecObliviousPathSelector>();
    return tid;
}

void
UecObliviousPathSelector::Choose(TimePs /* now */, Frame& frame)
{
    frame.entropy = GetEntropy(GetTurn());
    EndTurn();
}

} // namespace ns3::rails
