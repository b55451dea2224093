// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-transfer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

CommOpTraits
SetSteps(CommOpTraits traits, std::size_t steps)
{
    traits.steps = static_cast<uint32_t>(steps);
    return traits;
}

} // namespace

std::shared_ptr<const ColumnSums>
ColumnSumCache::Get(const std::shared_ptr<const TrafficMatrix>& matrix)
{
    std::shared_ptr<const ColumnSums>& known = m_known[matrix];
    if (!known)
    {
        const std::vector<uint64_t> received = matrix->GetReceived();
        ColumnSums sums;
        for (uint32_t gpu = 0; gpu < received.size(); ++gpu)
        {
            if (received[gpu] > 0)
            {
                sums.push_back({gpu, received[gpu]});
            }
        }
        known = std::make_shared<const ColumnSums>(std::move(sums));
    }
    return known;
}

MatrixTransfer::MatrixTransfer(CommOpTraits traits, std::vector<Step> steps)
    : CommOp(SetSteps(traits, steps.size())),
      m_steps(std::move(steps))
{
}

bool
MatrixTransfer::TakesPart(uint32_t gpu, uint32_t step) const
{
    return !GetTraits().isTimed || !m_steps[step].sent->GetRow(gpu).empty();
}

std::vector<Demand>
MatrixTransfer::GetSends(uint32_t gpu, uint32_t step) const
{
    return m_steps[step].sent->GetRow(gpu);
}

uint64_t
MatrixTransfer::GetReceived(uint32_t gpu, uint32_t step) const
{
    const ColumnSums& sums = *m_steps[step].received;
    const auto found =
        std::lower_bound(sums.begin(), sums.end(), gpu, [](const Demand& sum, uint32_t wanted) {
            return sum.destination < wanted;
        });
    return found != sums.end() && found->destination == gpu ? found->bytes : 0;
}

TimePs
MatrixTransfer::GetStart(uint32_t step) const
{
    return m_steps[step].start;
}

} // namespace ns3::rails
