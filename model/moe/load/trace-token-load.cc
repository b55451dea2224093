// SPDX-License-Identifier: GPL-2.0-only
#include "token-copies.h"
#include "token-load.h"

#include "ns3/component-documentation.h"
#include "ns3/file-memory.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/routing-trace.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `trace`: recorded counts, replayed over iterations, layers and micro-batches. Each index starts
 * at the first of the trace and wraps around after the last. All groups get the same counts.
 */
class TraceTokenLoad : public TokenLoad
{
  public:
    static TypeId GetTypeId();

    void Check(const LoadShape& shape) const override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;
    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const TokenSplit& split) const override;
    uint32_t GetCycle(const LoadShape& shape) const override;
    uint32_t CountIterations() const override;

  private:
    /// \throws ConfigurationError when replayed counts do not fit the shape
    void DrawAll(const LoadShape& shape, const std::array<std::size_t, 3>& recorded) const;

    std::string m_path;
    uint32_t m_skip;
};

NS_OBJECT_ENSURE_REGISTERED(TraceTokenLoad);

namespace
{

const std::string kOwner = "a group of experts"; // owner of ranks, for messages

} // namespace

TypeId
TraceTokenLoad::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::TraceTokenLoad").SetParent<TokenLoad>(),
            "Recorded counts of tokens, replayed over iterations, layers and micro-batches, "
            "from the first again behind the last; every group gets the same.")
            .SetGroupName("Rails")
            .AddConstructor<TraceTokenLoad>()
            .AddAttribute(
                "Path",
                "CSV of tokens with the columns iteration,layer,microbatch,rank,e0,e1,...; ranks "
                "are the GPUs of a group, experts those of the model, and layers those that have "
                "experts. A rank may have fewer tokens than a GPU of the training, or none.",
                StringValue(""),
                MakeStringAccessor(&TraceTokenLoad::m_path),
                MakeStringChecker())
            .AddAttribute("Skip",
                          "Recorded iterations before the one that is the first here.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TraceTokenLoad::m_skip),
                          MakeCountRange<uint32_t>());
    return tid;
}

void
TraceTokenLoad::Check(const LoadShape& shape) const
{
    const std::shared_ptr<const RoutingTrace> trace = RoutingTrace::Read(m_path);
    if (trace->GetExperts() != shape.experts)
    {
        throw ConfigurationError("path",
                                 m_path + ": has " + std::to_string(trace->GetExperts()) +
                                     " experts, the model " + std::to_string(shape.experts) +
                                     "; they must be as many");
    }
    // A sweep has thousands of points with the same numbers.
    static FileMemory<bool> known;
    known.Get(m_path,
              {m_skip,
               shape.sources,
               shape.tokens,
               shape.topK,
               shape.iterations,
               shape.layers,
               shape.microbatches},
              [&] {
                  DrawAll(shape, trace->CountRecorded());
                  return true;
              });
}

void
TraceTokenLoad::DrawAll(const LoadShape& shape, const std::array<std::size_t, 3>& recorded) const
{
    const auto& [iterations, layers, microbatches] = recorded;
    LoadPlace place;
    for (uint32_t i = 0; i < std::min<uint64_t>(shape.iterations, iterations); ++i)
    {
        place.iteration = i;
        for (uint32_t layer = 0; layer < std::min<uint64_t>(shape.layers, layers); ++layer)
        {
            place.layer = shape.firstLayer + layer;
            for (uint32_t j = 0; j < std::min<uint64_t>(shape.microbatches, microbatches); ++j)
            {
                place.microbatch = j;
                Draw(shape, place);
            }
        }
    }
}

std::vector<uint32_t>
TraceTokenLoad::Draw(const LoadShape& shape, const LoadPlace& place) const
{
    const std::shared_ptr<const RoutingTrace> trace = RoutingTrace::Read(m_path);
    const uint32_t layer = place.layer - std::min(place.layer, shape.firstLayer);
    const auto rows = trace->ReadTokens(
        trace->FindPlace({uint64_t{m_skip} + place.iteration, layer, place.microbatch}),
        shape.sources,
        kOwner);
    std::vector<uint32_t> counts;
    for (const std::vector<uint64_t>& row : rows)
    {
        uint64_t sum = 0;
        for (const uint64_t tokens : row)
        {
            sum += tokens;
            counts.push_back(static_cast<uint32_t>(tokens));
        }
        // Each token goes to an expert once at most; a rank may have fewer tokens than others.
        const uint64_t most = *std::max_element(row.begin(), row.end());
        const uint64_t needed = std::max((sum + shape.topK - 1) / shape.topK, most);
        if (needed > shape.tokens)
        {
            throw ConfigurationError(
                "path",
                m_path + ": a row counts " + std::to_string(sum) + " tokens at experts, " +
                    std::to_string(most) + " of them at one; a GPU has " +
                    std::to_string(shape.tokens) + " tokens for " + std::to_string(shape.topK) +
                    " experts each: set tokens (or the batch) to " + std::to_string(needed) +
                    " for each GPU at least, or change top_k");
        }
    }
    return counts;
}

std::vector<uint32_t>
TraceTokenLoad::CountCopies(const LoadShape& shape,
                            const LoadPlace&,
                            const std::vector<uint32_t>& counts,
                            const TokenSplit& split) const
{
    std::vector<double> inclusion(shape.experts, 0);
    for (std::size_t at = 0; at < counts.size(); ++at)
    {
        inclusion[at % shape.experts] +=
            static_cast<double>(counts[at]) / (double{1} * shape.sources * shape.tokens);
    }
    return EstimateCopies(shape, counts, inclusion, split);
}

uint32_t
TraceTokenLoad::GetCycle(const LoadShape&) const
{
    return static_cast<uint32_t>(RoutingTrace::Read(m_path)->CountRecorded()[2]);
}

uint32_t
TraceTokenLoad::CountIterations() const
{
    return static_cast<uint32_t>(RoutingTrace::Read(m_path)->CountRecorded()[0]);
}

} // namespace ns3::rails
