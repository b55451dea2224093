// SPDX-License-Identifier: GPL-2.0-only
#include "load-history.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

LoadHistory::LoadHistory(uint32_t experts, uint32_t window)
    : m_experts(experts),
      m_window(window),
      m_lastCounts(0, experts)
{
}

void
LoadHistory::Add(const TokenCounts& counts)
{
    const std::vector<uint32_t>& more = counts.GetCounts();
    m_sources = counts.GetSources();
    m_counts.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i)
    {
        m_counts[i] += more[i];
    }
    ++m_microbatches;
}

void
LoadHistory::EndIteration()
{
    if (m_microbatches == 0)
    {
        return;
    }
    std::vector<uint64_t> loads(m_experts);
    std::vector<uint32_t> means(m_counts.size());
    for (std::size_t i = 0; i < m_counts.size(); ++i)
    {
        loads[i % m_experts] += m_counts[i];
        means[i] = static_cast<uint32_t>((m_counts[i] + m_microbatches / 2) / m_microbatches);
    }
    m_lastCounts = TokenCounts(m_sources, m_experts, std::move(means));
    m_loads.push_front(std::move(loads));
    if (m_loads.size() > m_window)
    {
        m_loads.pop_back();
    }
    m_counts.clear();
    m_microbatches = 0;
}

uint32_t
LoadHistory::GetIterations() const
{
    return static_cast<uint32_t>(m_loads.size());
}

const std::vector<uint64_t>&
LoadHistory::GetLoads(uint32_t age) const
{
    m_lookBack = std::max(m_lookBack, age + 1);
    return m_loads.at(age);
}

std::vector<double>
LoadHistory::GetMeanLoads(uint32_t window) const
{
    m_lookBack = std::max(m_lookBack, window);
    const std::size_t used = std::min<std::size_t>(window, m_loads.size());
    std::vector<double> means(used > 0 ? m_experts : 0);
    for (std::size_t age = 0; age < used; ++age)
    {
        for (uint32_t expert = 0; expert < m_experts; ++expert)
        {
            means[expert] += static_cast<double>(m_loads[age][expert]) / static_cast<double>(used);
        }
    }
    return means;
}

const TokenCounts&
LoadHistory::GetLastCounts() const
{
    m_lookBack = std::max(m_lookBack, 1U);
    return m_lastCounts;
}

std::vector<std::string>
ListHistoryNotes(uint32_t lookBack, uint32_t warmUp, uint32_t iterations, uint32_t recorded)
{
    std::vector<std::string> notes;
    const uint64_t run = uint64_t{warmUp} + iterations;
    if (lookBack > 0 && recorded > 0 && run > recorded)
    {
        notes.push_back(
            "warning: the policy of experts looks back at loads that begin anew after " +
            std::to_string(recorded) + (recorded == 1 ? " iteration, and " : " iterations, and ") +
            std::to_string(run) + " are run (warm_up " + std::to_string(warmUp) + ", iterations " +
            std::to_string(iterations) +
            "): it may have seen what counts; run no more than are recorded to "
            "compare it with others");
    }
    if (lookBack > warmUp)
    {
        notes.push_back("the policy of experts looks back over " + std::to_string(lookBack) +
                        (lookBack == 1 ? " iteration" : " iterations") + ", of which " +
                        std::to_string(warmUp) +
                        " (warm_up) had been before the first that counts");
    }
    return notes;
}

} // namespace ns3::rails
