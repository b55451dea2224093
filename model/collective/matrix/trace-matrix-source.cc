// SPDX-License-Identifier: GPL-2.0-only
#include "trace-matrix-source.h"

#include "expert-placement.h"

#include "ns3/csv-file.h"
#include "ns3/file-memory.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <memory>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(TraceMatrixSource);

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

/// Where in a trace the rows are, so that each of many iterations and layers is found without
/// reading all of it.
struct TraceIndex
{
    uint32_t experts{0};
    /// By iteration, layer and micro-batch; in the order of the file.
    std::map<std::array<uint64_t, 3>, std::vector<CsvFile::Mark>> rows;
};

TraceIndex
ReadIndex(const std::string& path)
{
    CsvFile file(path);
    TraceIndex index;
    index.experts = ReadHeader(file);
    while (file.NextRow())
    {
        if (file.GetColumns() != kKeyColumns.size() + index.experts)
        {
            file.FailRow("expected " + std::to_string(kKeyColumns.size() + index.experts) +
                         " columns as in the header, found " + std::to_string(file.GetColumns()));
        }
        index
            .rows[{file.GetNumber(0, kLargestCount),
                   file.GetNumber(1, kLargestCount),
                   file.GetNumber(2, kLargestCount)}]
            .push_back(file.GetMark());
    }
    return index;
}

} // namespace

TypeId
TraceMatrixSource::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::TraceMatrixSource").SetParent<MatrixSource>(),
                 "The dispatch of one Mixture-of-Experts layer from recorded counts of "
                 "tokens; ranks of the record are GPUs, and as many.")
            .SetGroupName("Rails")
            .AddConstructor<TraceMatrixSource>()
            .AddAttribute(
                "Path",
                "CSV of tokens with the columns iteration,layer,microbatch,rank,e0,e1,...; of one "
                "group, where there are groups, and every group gets it.",
                StringValue(""),
                MakeStringAccessor(&TraceMatrixSource::m_path),
                MakeStringChecker())
            .AddAttribute("Iteration",
                          "Training iteration to take from the trace.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TraceMatrixSource::m_iteration),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Layer",
                          "MoE layer to take from the trace.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TraceMatrixSource::m_layer),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Microbatch",
                          "Micro-batch to take from the trace.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TraceMatrixSource::m_microbatch),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Hidden",
                          "Elements of a token's vector.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&TraceMatrixSource::m_hidden),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("BytesPerElement",
                          "Bytes of an element of a token's vector.",
                          ByteSizeValue(ByteSize(2)),
                          MakeByteSizeAccessor(&TraceMatrixSource::m_bytesPerElement),
                          MakeByteRange(1, 16));
    return tid;
}

void
TraceMatrixSource::Check(const GpuGroups& groups) const
{
    FindSentTokens(groups);
}

TrafficMatrix
TraceMatrixSource::Generate(const GpuGroups& groups)
{
    return Repeat(ReadGroup(groups, m_hidden * m_bytesPerElement.Get()), groups);
}

double
TraceMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    const uint64_t tokenBytes = m_hidden * m_bytesPerElement.Get();
    return static_cast<double>(FindSentTokens(groups)) * static_cast<double>(tokenBytes) *
           groups.GetCount();
}

uint64_t
TraceMatrixSource::FindSentTokens(const GpuGroups& groups) const
{
    static FileMemory<uint64_t> totals;
    return totals.Get(m_path, {groups.GetSize(), m_iteration, m_layer, m_microbatch}, [&] {
        return ReadGroup(groups, 1).GetTotalBytes();
    });
}

TrafficMatrix
TraceMatrixSource::ReadGroup(const GpuGroups& groups, uint64_t tokenBytes) const
{
    const uint32_t ranks = groups.GetSize();
    const auto tokens = ReadTokens(groups);
    TrafficMatrix matrix({ranks, 1});
    try
    {
        const ExpertPlacement placement(tokens.front().size(), ranks);
        std::vector<GpuTokens> dealt;
        for (uint32_t source = 0; source < ranks; ++source)
        {
            dealt.clear();
            for (uint32_t expert = 0; expert < tokens[source].size(); ++expert)
            {
                placement.Deal(expert, tokens[source][expert], dealt);
            }
            for (const GpuTokens& got : dealt)
            {
                matrix.Add(source, got.gpu, got.tokens * tokenBytes);
            }
        }
    }
    catch (const ConfigurationError& error)
    {
        throw ConfigurationError("path", m_path + ": " + error.what());
    }
    return matrix;
}

std::vector<std::vector<uint64_t>>
TraceMatrixSource::ReadTokens(const GpuGroups& groups) const
{
    const uint32_t ranks = groups.GetSize();
    const std::string owner = groups.GetOwner();
    static FileMemory<std::shared_ptr<const TraceIndex>> indices;
    const auto index = indices.Get(m_path, {}, [&] {
        return std::make_shared<const TraceIndex>(ReadIndex(m_path));
    });
    const auto found = index->rows.find({m_iteration, m_layer, m_microbatch});
    const std::vector<CsvFile::Mark> rows =
        found == index->rows.end() ? std::vector<CsvFile::Mark>() : found->second;
    CsvFile file(m_path);
    std::vector<std::vector<uint64_t>> tokens(ranks);
    for (const CsvFile::Mark& row : rows)
    {
        file.GoTo(row);
        if (!file.NextRow() || file.GetColumns() != kKeyColumns.size() + index->experts)
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
        for (uint32_t expert = 0; expert < index->experts; ++expert)
        {
            tokens[rank].push_back(file.GetNumber(kKeyColumns.size() + expert, kLargestCount));
        }
    }
    if (rows.size() != ranks)
    {
        const std::string key = "iteration " + std::to_string(m_iteration) + ", layer " +
                                std::to_string(m_layer) + ", microbatch " +
                                std::to_string(m_microbatch);
        file.FailFile(rows.empty() ? "has no " + key
                                   : "has " + std::to_string(rows.size()) + " ranks for " + key +
                                         ", " + owner + " " + std::to_string(ranks) +
                                         " GPUs; they must be as many");
    }
    return tokens;
}

} // namespace ns3::rails
