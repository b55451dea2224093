// SPDX-License-Identifier: GPL-2.0-only
#include "uec-path-selector.h"

#include "entropy-draw.h"

#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UecPathSelector);

TypeId
UecPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::UecPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Rails")
                            .AddAttribute("Paths",
                                          "Entropies of a queue pair, a power of two. (uet-htsim)",
                                          UintegerValue(64),
                                          MakeUintegerAccessor(&UecPathSelector::m_paths),
                                          MakeCountRange<uint32_t>(1, 256));
    return tid;
}

void
UecPathSelector::Check() const
{
    if ((m_paths & (m_paths - 1)) != 0)
    {
        throw ConfigurationError("paths",
                                 std::to_string(m_paths) +
                                     " is not a power of two: try 32, 64, 128 or 256");
    }
}

void
UecPathSelector::Start(TimePs /* now */, const PathContext& context)
{
    m_random = context.random;
    m_upperBits = DrawEntropy(*m_random) & ~(m_paths - 1);
    m_permutation = m_random->GetInteger(0, m_paths - 1);
}

void
UecPathSelector::EndTurn()
{
    if (++m_step == m_paths)
    {
        m_step = 0;
        m_permutation = m_random->GetInteger(0, m_paths - 1);
    }
}

} // namespace ns3::rails
