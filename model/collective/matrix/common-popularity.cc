// SPDX-License-Identifier: GPL-2.0-only
#include "common-popularity.h"

namespace ns3::rails
{

void
CommonPopularity::Start(uint32_t experts)
{
    m_shares = std::make_shared<const std::vector<double>>(Draw(experts));
}

std::shared_ptr<const std::vector<double>>
CommonPopularity::GetNext()
{
    return m_shares;
}

} // namespace ns3::rails
