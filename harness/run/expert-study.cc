// SPDX-License-Identifier: GPL-2.0-only
#include "expert-study.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-groups.h"
#include "ns3/expert-setting-maker.h"
#include "ns3/flops-compute-model.h"
#include "ns3/optional-accessor.h"
#include "ns3/planning-times.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ExpertStudy);

namespace
{

/// \throws ConfigurationError when bytes of a layer may be more than 64 bits hold
void
CheckBytes(const ExpertSetting& setting)
{
    constexpr double most = 9e18;
    constexpr double passes = 4; // of a token, see plan-figures.h
    const double gpus = setting.cluster.gpus;
    const double expert = 2.0 * static_cast<double>(setting.weightBytes) +
                          static_cast<double>(setting.gradientBytes + setting.stateBytes);
    // All of a GPU's tokens padded to the largest expert, at worst.
    const double tokens =
        passes * static_cast<double>(setting.tokenBytes) * setting.tokens * setting.experts * gpus;
    if (gpus * setting.experts * expert > most || tokens > most)
    {
        throw ConfigurationError("model",
                                 "a copy of every expert on every GPU, or every token at every "
                                 "expert, is more than 9e18 B, which nothing here counts: take a "
                                 "smaller model, fewer GPUs or tokens");
    }
}

} // namespace

TypeId
ExpertStudy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            AddAliases(TypeId("ns3::rails::ExpertStudy").SetParent<Object>(),
                       {{"GpusPerServer", "GpusPerDomain"}, {"NicsPerServer", "NicsPerDomain"}}),
            "What a policy of experts does with token counts, without any simulation; it "
            "stands in place of all other sections.")
            .SetGroupName("Rails")
            .AddConstructor<ExpertStudy>()
            .AddAttribute("Policy",
                          "Which GPU computes which tokens, and which experts are copied or moved.",
                          StringValue("ns3::rails::PlainEpExpertPolicy"),
                          MakePointerAccessor(&ExpertStudy::m_policy),
                          MakePointerChecker<ExpertPolicy>())
            .AddAttribute("Load",
                          "How many tokens go to which expert.",
                          StringValue("ns3::rails::SyntheticTokenLoad"),
                          MakePointerAccessor(&ExpertStudy::m_load),
                          MakePointerChecker<TokenLoad>())
            .AddAttribute("Model",
                          "The model, whose experts they are; every dimension can be given anew.",
                          StringValue("ns3::rails::Deepseek-v3MoeModel"),
                          MakePointerAccessor(&ExpertStudy::m_model),
                          MakePointerChecker<MoeModel>())
            .AddAttribute("Gpus",
                          "GPUs that the experts of a layer are spread over.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&ExpertStudy::m_gpus),
                          MakeCountRange<uint32_t>(1, 65'536))
            .AddAttribute("Ep",
                          "GPUs that hold all experts of a layer together; several such groups "
                          "side by side hold the same experts. By default all GPUs, or where these "
                          "are a multiple of the experts as many as there are experts.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ExpertStudy::m_ep),
                          MakeCountRange<uint32_t>(1, 65'536))
            .AddAttribute("GpusPerDomain",
                          "GPUs of a server, which reach each other over NVLink.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&ExpertStudy::m_gpusPerServer),
                          MakeCountRange<uint32_t>(1, 65'536))
            .AddAttribute("NicsPerDomain",
                          "NICs of a server.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&ExpertStudy::m_nicsPerServer),
                          MakeCountRange<uint32_t>(1, 1024))
            .AddAttribute("NvlinkRate",
                          "Rate of a GPU over NVLink, in each direction.",
                          DataRateValue(DataRate(3'600'000'000'000)),
                          MakeDataRateAccessor(&ExpertStudy::m_nvlinkRate),
                          MakeRateRange(1'000'000))
            .AddAttribute("NicRate",
                          "Rate of a NIC, in each direction.",
                          DataRateValue(DataRate(400'000'000'000)),
                          MakeDataRateAccessor(&ExpertStudy::m_nicRate),
                          MakeRateRange(1'000'000))
            .AddAttribute("Flops",
                          "Operations that a GPU achieves in a second at experts. (an assumption, "
                          "the same as of a training with compute: flops: half of the dense BF16 "
                          "peak of the NVIDIA H100 SXM.)",
                          DoubleValue(FlopsComputeModel::kPeak * FlopsComputeModel::kEfficiency),
                          MakeDoubleAccessor(&ExpertStudy::m_flops),
                          MakeNumberRange(1e6, 1e20))
            .AddAttribute("Tokens",
                          "Tokens of each GPU in a micro-batch.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&ExpertStudy::m_tokens),
                          MakeCountRange<uint32_t>(1, 1 << 30))
            .AddAttribute("BytesPerElement",
                          "Of activations and parameters.",
                          ByteSizeValue(ByteSize(2)),
                          MakeByteSizeAccessor(&ExpertStudy::m_bytesPerElement),
                          MakeByteRange(1, 16))
            .AddAttribute("BytesPerGradient",
                          "Of gradients of parameters.",
                          ByteSizeValue(ByteSize(4)),
                          MakeByteSizeAccessor(&ExpertStudy::m_bytesPerGradient),
                          MakeByteRange(1, 16))
            .AddAttribute(
                "BytesPerState",
                "What the optimizer keeps for a parameter, an even part of it on each GPU "
                "that holds the expert; parts move with experts. (Adam in mixed "
                "precision: three numbers of 4 B.)",
                ByteSizeValue(ByteSize(12)),
                MakeByteSizeAccessor(&ExpertStudy::m_bytesPerState),
                MakeByteRange(0, 64))
            .AddAttribute("Layers",
                          "How many layers with experts are looked at.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ExpertStudy::m_layers),
                          MakeCountRange<uint32_t>(1, 1000))
            .AddAttribute("Microbatches",
                          "Micro-batches of an iteration.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ExpertStudy::m_microbatches),
                          MakeCountRange<uint32_t>(1, 100'000))
            .AddAttribute("Iterations",
                          "How many iterations count.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ExpertStudy::m_iterations),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("WarmUp",
                          "Iterations before these, which policies learn from and which do not "
                          "count.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ExpertStudy::m_warmUp),
                          MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("Planning",
                          "Time that every policy takes to plan a layer, so that policies are "
                          "compared by one rule. By default what each declares (planning_time), "
                          "which is nothing where no source says it.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ExpertStudy::m_planning),
                          MakeTimeRange(0, kNever / 2))
            .AddAttribute("PlanningPath",
                          "CSV of planning times that were measured once, which every policy of "
                          "the table is charged with: policy,experts,gpus,planning_ns,"
                          "measured_on. (./rails index DIR --planning FILE "
                          "writes those that a study has measured.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<StringValue>(&ExpertStudy::m_planningPath),
                          MakeStringChecker())
            .AddAttribute("Budget",
                          "Memory of a GPU for experts of all layers: weights, gradients, states "
                          "of the optimizer. Policies get as many slots as fit in besides the "
                          "experts at home, so that they are compared at equal memory; slots of "
                          "their own are an error beside it. By default policies have the slots "
                          "that they say.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<ByteSizeValue>(&ExpertStudy::m_budget),
                          MakeByteRange(1))
            .AddAttribute("Placement",
                          "Whether it is written down which GPUs have which experts, and how many "
                          "tokens they compute there (placement.csv).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ExpertStudy::m_placement),
                          MakeBooleanChecker());
    return tid;
}

void
ExpertStudy::DoDispose()
{
    m_policy = nullptr;
    m_load = nullptr;
    m_model = nullptr;
    Object::DoDispose();
}

void
ExpertStudy::Check() const
{
    CheckNested("model", [this] { m_model->Check(); });
    const uint32_t experts = m_model->GetDimensions().experts;
    const uint32_t ep = GetParallel();
    const std::string parallel =
        std::to_string(ep) + " GPUs" + (m_ep ? "" : " (ep is by default all of them)");
    if (m_gpus % ep != 0)
    {
        throw ConfigurationError("ep",
                                 "groups of " + parallel + " do not divide the " +
                                     std::to_string(m_gpus) + " GPUs: set ep or gpus");
    }
    if (experts % ep != 0 && !m_policy->DealsUnevenly())
    {
        throw ConfigurationError(m_ep ? "ep" : "gpus",
                                 std::to_string(experts) + " experts cannot be dealt evenly to " +
                                     parallel +
                                     ", which this policy needs: set ep, gpus or model.experts, or "
                                     "take eplb, whose slots hold redundant experts");
    }
    if (m_gpus % m_gpusPerServer != 0 && m_gpus > m_gpusPerServer)
    {
        throw ConfigurationError("gpus_per_domain",
                                 "servers of " + std::to_string(m_gpusPerServer) +
                                     " GPUs do not divide the " + std::to_string(m_gpus) +
                                     " GPUs: set gpus_per_domain or gpus");
    }
    if (m_policy->GetTraits().plansOneGroup && ep < m_gpus && !MakeGroups().AreEven())
    {
        throw ConfigurationError(
            m_ep ? "ep" : "gpus_per_domain",
            "this policy plans groups of " + std::to_string(ep) +
                " GPUs one by one, which have to have as many GPUs in each of their servers of " +
                std::to_string(m_gpusPerServer) +
                ", and all groups as many: set ep or gpus_per_domain so that one divides the "
                "other, or take a policy for several groups, such as micro-moe");
    }
    const ExpertStudyPlan plan = MakePlan();
    const uint64_t pairs = uint64_t{m_tokens} * plan.shape.topK * m_gpus;
    if (pairs > std::numeric_limits<int32_t>::max())
    {
        throw ConfigurationError("tokens",
                                 std::to_string(pairs) +
                                     " pairs of a token and an expert in a layer and micro-batch "
                                     "are more than 2^31: set tokens or gpus");
    }
    constexpr uint64_t mostCounts = uint64_t{1} << 28; // 1 GiB of them
    if (uint64_t{m_gpus} * experts > mostCounts)
    {
        throw ConfigurationError("gpus",
                                 std::to_string(m_gpus) + " GPUs that have tokens for " +
                                     std::to_string(experts) +
                                     " experts are more than 2^28 counts: set gpus or "
                                     "model.experts");
    }
    CheckBytes(plan.setting);
    CheckNested("load", [&] { m_load->Check(plan.shape); });
    CheckNested("policy", [&] { m_policy->Check(plan.groupSetting); });
}

/// \return GPUs that hold all experts together
uint32_t
ExpertStudy::GetParallel() const
{
    const uint32_t experts = m_model->GetDimensions().experts;
    return m_ep.value_or(m_gpus % experts == 0 ? experts : m_gpus);
}

/// \return groups of expert parallelism, which follow each other
GpuPartition
ExpertStudy::MakeGroups() const
{
    std::vector<std::vector<uint32_t>> groups(m_gpus / GetParallel());
    for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
    {
        groups[gpu / GetParallel()].push_back(gpu);
    }
    const uint32_t servers = (m_gpus + m_gpusPerServer - 1) / m_gpusPerServer;
    return {{servers, m_gpusPerServer}, std::move(groups)};
}

ExpertStudyPlan
ExpertStudy::MakePlan() const
{
    const ModelDimensions& model = m_model->GetDimensions();
    const auto element = static_cast<double>(m_bytesPerElement.Get());
    ClusterView cluster;
    cluster.gpus = m_gpus;
    cluster.gpusPerServer = m_gpusPerServer;
    cluster.nicsPerServer = m_nicsPerServer;
    cluster.flops = m_flops;
    ExpertStudyPlan plan;
    ExpertSetting& setting = plan.setting;
    setting = MakeExpertSetting(model,
                                {element,
                                 element,
                                 static_cast<double>(m_bytesPerGradient.Get()),
                                 static_cast<double>(m_bytesPerState.Get())},
                                cluster,
                                {m_nvlinkRate.GetBitRate(), m_nicRate.GetBitRate()},
                                GetParallel(),
                                m_tokens);
    setting.sequence = 0; // there are none, and so no attention between tokens
    setting.layers = m_layers;
    setting.microbatches = m_microbatches;
    setting.otherForward = 2 * model.GetDenseParameters(model.denseLayers) * m_tokens / m_flops;
    setting.otherBackward = 2 * setting.otherForward;
    if (m_budget)
    {
        plan.budget = m_budget->Get();
        const uint32_t groups = setting.GetGroups();
        setting.slots = FitSlots(*m_policy,
                                 setting,
                                 {"budget",
                                  "policy",
                                  m_budget->Get(),
                                  setting.weightBytes,
                                  setting.gradientBytes,
                                  setting.stateBytes,
                                  m_layers,
                                  groups,
                                  m_policy->GetTraits().plansOneGroup ? 1 : groups});
    }
    plan.groupSetting = setting;
    if (m_policy->GetTraits().plansOneGroup && setting.GetGroups() > 1)
    {
        const GpuPartition groups = MakeGroups();
        plan.groups = groups.GetGroups();
        plan.groupSetting.cluster = Narrow(groups, setting.cluster);
    }
    else
    {
        plan.groups.emplace_back(m_gpus);
        std::iota(plan.groups.front().begin(), plan.groups.front().end(), 0U);
    }
    plan.groupSetting.planning =
        ChargePlanning({"planning",
                        m_planning ? std::optional(m_planning->GetSeconds()) : std::nullopt,
                        "planning_path",
                        m_planningPath},
                       *m_policy,
                       plan.groupSetting);
    plan.shape = {m_gpus, model.experts, model.topK, m_tokens};
    plan.shape.balancing = model.balancing;
    plan.shape.groups = model.GetLimitingGroups();
    plan.shape.topGroups = std::min(model.topGroups, plan.shape.groups);
    plan.iterations = m_iterations;
    plan.warmUp = m_warmUp;
    plan.shape.iterations = plan.GetRun().GetEnd();
    plan.shape.layers = m_layers;
    plan.shape.microbatches = m_microbatches;
    return plan;
}

const Ptr<ExpertPolicy>&
ExpertStudy::GetPolicy() const
{
    return m_policy;
}

const Ptr<TokenLoad>&
ExpertStudy::GetLoad() const
{
    return m_load;
}

double
ExpertStudy::EstimateTokens() const
{
    return double{1} * m_gpus * m_tokens * m_model->GetDimensions().topK * m_layers *
           m_microbatches * (m_iterations + m_warmUp);
}

} // namespace ns3::rails
