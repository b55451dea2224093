// SPDX-License-Identifier: GPL-2.0-only
#include "token-load.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(TokenLoad);

TypeId
TokenLoad::GetTypeId()
{
    static TypeId tid = SetDocumentation(TypeId("ns3::rails::TokenLoad").SetParent<Object>(),
                                         "How many tokens go to which expert.")
                            .SetGroupName("Rails");
    return tid;
}

void
TokenLoad::Check(const LoadShape&) const
{
}

void
TokenLoad::Start()
{
}

uint32_t
TokenLoad::GetCycle(const LoadShape&) const
{
    return 0;
}

uint32_t
TokenLoad::CountIterations() const
{
    return 0;
}

std::optional<uint32_t>
TokenLoad::GetFirstIteration() const
{
    return std::nullopt;
}

int64_t
TokenLoad::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
