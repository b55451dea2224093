// SPDX-License-Identifier: GPL-2.0-only
#include "routing-trace.h"

#include "ns3/file-memory.h"

#include <cstddef>
#include <set>

namespace ns3::rails
{

namespace
{

constexpr std::array<const char*, 4> kKeyColumns{"iteration", "layer", "microbatch", "rank"};
constexpr uint64_t kLargestCount = 1'000'000'000;

/// \return number of experts
uint32_t
ReadHeader(CsvFile& file)
{
    if (!file.NextRow())
    {
        file.FailFile("is empty");
    }
    for (size_t column = 0; column < file.GetColumns(); ++column)
    {
        const std::string expected = column < kKeyColumns.size()
                                         ? kKeyColumns[column]
                                         : "e" + std::to_string(column - kKeyColumns.size());
        if (file.GetText(column) != expected)
        {
            file.Fail(column, "expected the column '" + expected + "'");
        }
    }
    if (file.GetColumns() <= kKeyColumns.size())
    {
        file.FailRow("expected the columns iteration,layer,microbatch,rank,e0,e1,...");
    }
    return file.GetColumns() - kKeyColumns.size();
}

} // namespace

RoutingTrace::RoutingTrace(const std::string& path)
    : m_path(path)
{
    CsvFile file(path);
    m_experts = ReadHeader(file);
    while (file.NextRow())
    {
        if (file.GetColumns() != kKeyColumns.size() + m_experts)
        {
            file.FailRow("expected " + std::to_string(kKeyColumns.size() + m_experts) +
                         " columns as in the header, found " + std::to_string(file.GetColumns()));
        }
        m_rows[{file.GetNumber(0, kLargestCount),
                file.GetNumber(1, kLargestCount),
                file.GetNumber(2, kLargestCount)}]
            .push_back(file.GetMark());
    }
    if (m_rows.empty())
    {
        file.FailFile("has a header, and no row of tokens below it");
    }
    std::array<std::set<uint64_t>, 3> recorded;
    for (const auto& [place, rows] : m_rows)
    {
        for (std::size_t axis = 0; axis < place.size(); ++axis)
        {
            recorded[axis].insert(place[axis]);
        }
    }
    for (std::size_t axis = 0; axis < recorded.size(); ++axis)
    {
        m_recorded[axis].assign(recorded[axis].begin(), recorded[axis].end());
    }
}

std::shared_ptr<const RoutingTrace>
RoutingTrace::Read(const std::string& path)
{
    static FileMemory<std::shared_ptr<const RoutingTrace>> known;
    return known.Get(path, {}, [&path] {
        return std::shared_ptr<const RoutingTrace>(new RoutingTrace(path));
    });
}

uint32_t
RoutingTrace::CountRanks() const
{
    return m_rows.empty() ? 0 : static_cast<uint32_t>(m_rows.begin()->second.size());
}

std::array<std::size_t, 3>
RoutingTrace::CountRecorded() const
{
    return {m_recorded[0].size(), m_recorded[1].size(), m_recorded[2].size()};
}

RoutingTrace::Place
RoutingTrace::FindPlace(const Place& numbers) const
{
    Place place{};
    for (std::size_t axis = 0; axis < place.size() && !m_rows.empty(); ++axis)
    {
        place[axis] = m_recorded[axis][numbers[axis] % m_recorded[axis].size()];
    }
    return place;
}

void
RoutingTrace::CheckRanks(const Place& place, uint32_t ranks, const std::string& owner) const
{
    const auto found = m_rows.find(place);
    const std::size_t rows = found == m_rows.end() ? 0 : found->second.size();
    if (rows == ranks)
    {
        return;
    }
    const std::string key = "iteration " + std::to_string(place[0]) + ", layer " +
                            std::to_string(place[1]) + ", microbatch " + std::to_string(place[2]);
    CsvFile(m_path).FailFile(rows == 0 ? "has no " + key
                                       : "has " + std::to_string(rows) + " ranks for " + key +
                                             ", " + owner + " " + std::to_string(ranks) +
                                             " GPUs; they must be as many");
}

std::vector<std::vector<uint64_t>>
RoutingTrace::ReadTokens(const Place& place, uint32_t ranks, const std::string& owner) const
{
    const auto found = m_rows.find(place);
    const std::vector<CsvFile::Mark> rows =
        found == m_rows.end() ? std::vector<CsvFile::Mark>() : found->second;
    CsvFile file(m_path);
    std::vector<std::vector<uint64_t>> tokens(ranks);
    for (const CsvFile::Mark& row : rows)
    {
        file.GoTo(row);
        if (!file.NextRow() || file.GetColumns() != kKeyColumns.size() + m_experts)
        {
            file.FailFile("was changed while it was read");
        }
        const uint64_t rank = file.GetNumber(3, kLargestCount);
        if (rank >= ranks)
        {
            file.Fail(3,
                      "the trace has a rank " + std::to_string(rank) + ", " + owner + " " +
                          std::to_string(ranks) + " GPUs; they must be as many");
        }
        if (!tokens[rank].empty())
        {
            file.Fail(3, "rank " + std::to_string(rank) + " occurs twice");
        }
        for (uint32_t expert = 0; expert < m_experts; ++expert)
        {
            tokens[rank].push_back(file.GetNumber(kKeyColumns.size() + expert, kLargestCount));
        }
    }
    CheckRanks(place, ranks, owner);
    return tokens;
}

} // namespace ns3::rails
