// SPDX-License-Identifier: GPL-2.0-only
#include "parallel-layout.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ParallelLayout);

namespace
{

constexpr const char* kUsualOrder = "tp-cp-ep-dp-pp";

std::vector<std::string>
SplitOrder(const std::string& order)
{
    std::vector<std::string> axes;
    boost::split(axes, order, [](char letter) { return letter == '-'; });
    return axes;
}

/// A separate checker for each key: ns-3 identifies values given at construction by their checkers.
Ptr<const AttributeChecker>
MakeDegreeRange()
{
    return MakeCountRange<uint32_t>(1, 1'000'000);
}

void
CheckDivides(uint64_t product, uint32_t gpus, const std::string& key, const std::string& names)
{
    if (product > gpus || gpus % product != 0)
    {
        throw ConfigurationError(key,
                                 names + " is " + std::to_string(product) +
                                     ", which does not divide the " + std::to_string(gpus) +
                                     " GPUs of the topology: change one of them");
    }
}

} // namespace

TypeId
ParallelLayout::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ParallelLayout").SetParent<Object>(),
            "How a model is divided over the GPUs: attention into tp x cp x dp x pp parts, "
            "experts into etp x ep x pp parts, as often as they fit. (MoE Parallel "
            "Folding, arXiv 2504.14960.)")
            .SetGroupName("Rails")
            .AddConstructor<ParallelLayout>()
            .AddAttribute("Tp",
                          "Tensor parallelism of attention and dense layers, with sequence "
                          "parallelism: GPUs that share a layer.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_tp),
                          MakeDegreeRange())
            .AddAttribute("Cp",
                          "Context parallelism: GPUs that share a sequence.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_cp),
                          MakeDegreeRange())
            .AddAttribute("Pp",
                          "Pipeline parallelism: stages that the layers are divided into.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_pp),
                          MakeDegreeRange())
            .AddAttribute("Vpp",
                          "Chunks of layers that a GPU has, of a schedule that interleaves them.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_vpp),
                          MakeDegreeRange())
            .AddAttribute("Layout",
                          "Which layers each chunk of each stage has. even: as many, the first "
                          "ones one more where they do not divide; even+embedding, even+loss and "
                          "even+embedding+loss: the same, but the embedding counts as a layer of "
                          "the first chunk, head and loss as one of the last; a list: so many, in "
                          "the order of the model (the first chunks of all stages, then the "
                          "second); or the same as letters, as in Et|(tt|)*30mL: E embedding, t a "
                          "layer, m one of multi-token prediction, L head and loss, | between "
                          "chunks, *n repeats. (Megatron-LM, --pipeline-model-parallel-layout, "
                          "--account-for-embedding-in-pipeline-split and "
                          "--account-for-loss-in-pipeline-split.)",
                          StringValue("even"),
                          MakeStringAccessor(&ParallelLayout::m_layout),
                          Create<TextOrCountsChecker>())
            .AddAttribute("Dp",
                          "Data parallelism: replicas of attention; 0 stands for as many as fit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ParallelLayout::m_dp),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Ep",
                          "Expert parallelism: GPUs that the experts of a layer are divided over.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_ep),
                          MakeDegreeRange())
            .AddAttribute("Etp",
                          "Tensor parallelism of experts: GPUs that share an expert.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ParallelLayout::m_etp),
                          MakeDegreeRange())
            .AddAttribute("Order",
                          "How the numbers of GPUs run through the parts, the fastest first: the "
                          "words tp, cp, ep, dp, pp joined by hyphens. Attention leaves out ep, "
                          "experts read tp as etp and leave out cp. (Megatron-LM.)",
                          StringValue(kUsualOrder),
                          MakeStringAccessor(&ParallelLayout::m_order),
                          MakeStringChecker());
    return tid;
}

void
ParallelLayout::Check(uint32_t gpus) const
{
    std::vector<std::string> given = SplitOrder(m_order);
    std::vector<std::string> known = SplitOrder(kUsualOrder);
    std::sort(given.begin(), given.end());
    std::sort(known.begin(), known.end());
    if (given != known)
    {
        throw ConfigurationError("order",
                                 std::string("expected each of tp, cp, ep, dp, pp once, as in ") +
                                     kUsualOrder);
    }
    CheckDivides(uint64_t{m_tp} * m_cp * m_pp, gpus, "tp", "tp x cp x pp");
    CheckDivides(uint64_t{m_etp} * m_ep * m_pp, gpus, "ep", "etp x ep x pp");
    if (m_dp != 0 && m_dp != gpus / (m_tp * m_cp * m_pp))
    {
        throw ConfigurationError(
            "dp",
            "tp x cp x pp = " + std::to_string(m_tp * m_cp * m_pp) + " of the " +
                std::to_string(gpus) +
                " GPUs of the topology leave dp = " + std::to_string(gpus / (m_tp * m_cp * m_pp)));
    }
    CheckLayout();
    const RankMaps maps = MakeMaps(gpus);
    if (maps.attention.GetStride("pp") != maps.experts.GetStride("pp"))
    {
        throw ConfigurationError("order",
                                 "attention and experts of a layer would be on GPUs of different "
                                 "stages: put pp last, as in " +
                                     std::string(kUsualOrder));
    }
}

void
ParallelLayout::CheckLayout() const
{
    try
    {
        const std::size_t chunks = std::size_t{m_pp} * m_vpp;
        const std::size_t parts = LayerLayout::Parse(m_layout).layers.size();
        if (parts != 0 && parts != chunks)
        {
            throw ConfigurationError("layout",
                                     "it has " + std::to_string(parts) +
                                         " parts for pp x vpp = " + std::to_string(chunks) +
                                         " chunks: give each chunk a part");
        }
    }
    catch (const std::invalid_argument& error)
    {
        throw ConfigurationError("layout", error.what());
    }
}

RankMaps
ParallelLayout::MakeMaps(uint32_t gpus) const
{
    std::vector<RankMap::Axis> attention;
    std::vector<RankMap::Axis> experts;
    for (const std::string& axis : SplitOrder(m_order))
    {
        if (axis == "tp")
        {
            attention.push_back({"tp", m_tp});
            experts.push_back({"etp", m_etp});
        }
        else if (axis == "cp")
        {
            attention.push_back({"cp", m_cp});
        }
        else if (axis == "ep")
        {
            experts.push_back({"ep", m_ep});
        }
        else if (axis == "dp")
        {
            attention.push_back({"dp", GetDp(gpus)});
            experts.push_back({"edp", GetEdp(gpus)});
        }
        else
        {
            attention.push_back({"pp", m_pp});
            experts.push_back({"pp", m_pp});
        }
    }
    return {RankMap(attention), RankMap(experts)};
}

LayerLayout
ParallelLayout::GetLayout() const
{
    return LayerLayout::Parse(m_layout);
}

uint32_t
ParallelLayout::GetDp(uint32_t gpus) const
{
    return gpus / (m_tp * m_cp * m_pp);
}

uint32_t
ParallelLayout::GetEdp(uint32_t gpus) const
{
    return gpus / (m_etp * m_ep * m_pp);
}

} // namespace ns3::rails
