// SPDX-License-Identifier: GPL-2.0-only
#include "capacity-policy.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/word-accessor.h"

namespace ns3::rails
{

/**
 * `plain-ep`: every token goes to the home of its expert (as in Megatron-LM, which neither drops
 * nor pads by default: moe-load-balancing, parts C.1 and C.6). It needs no planning.
 */
class PlainEpExpertPolicy : public CapacityPolicy
{
  public:
    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    bool IsPlain() const override;
    bool DealsUnevenly() const override;

  private:
    Padding GetPadding() const override;

    Padding m_padding;
};

NS_OBJECT_ENSURE_REGISTERED(PlainEpExpertPolicy);

TypeId
PlainEpExpertPolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PlainEpExpertPolicy").SetParent<CapacityPolicy>(),
            "Every token goes to the home of its expert: expert parallelism without any "
            "balancing. (GShard; Megatron-LM.)")
            .SetGroupName("Rails")
            .AddConstructor<PlainEpExpertPolicy>()
            .AddAttribute("Padding",
                          "Rows that an expert computes, and that travel to it, for each GPU. "
                          "none: its tokens; capacity: as many as it takes at most; max: as many "
                          "as any GPU has for any expert. (Tutel; DeepSpeed.)",
                          EnumValue(NONE),
                          MakeWordAccessor(&PlainEpExpertPolicy::m_padding),
                          MakeEnumChecker(NONE, "none", CAPACITY, "capacity", MAX, "max"));
    return tid;
}

void
PlainEpExpertPolicy::Check(const ExpertSetting& setting) const
{
    CapacityPolicy::Check(setting);
    if (m_padding == CAPACITY && !HasCapacity())
    {
        throw ConfigurationError("padding",
                                 "there is no capacity to pad to: give capacity_factor as well, "
                                 "or take padding: max");
    }
}

bool
PlainEpExpertPolicy::IsPlain() const
{
    return m_padding == NONE && !HasCapacity();
}

bool
PlainEpExpertPolicy::DealsUnevenly() const
{
    return IsPlain(); // rows are padded for as many experts on each GPU
}

CapacityPolicy::Padding
PlainEpExpertPolicy::GetPadding() const
{
    return m_padding;
}

} // namespace ns3::rails
