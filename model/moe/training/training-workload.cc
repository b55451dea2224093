// SPDX-License-Identifier: GPL-2.0-only
#include "training-memory.h"
#include "training-program.h"

#include "ns3/boolean.h"
#include "ns3/collective-options.h"
#include "ns3/component-documentation.h"
#include "ns3/compute-model.h"
#include "ns3/copy-hops.h"
#include "ns3/enum.h"
#include "ns3/exchange-scheme.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-groups.h"
#include "ns3/expert-policy.h"
#include "ns3/moe-model.h"
#include "ns3/optional-accessor.h"
#include "ns3/parallel-layout.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/rails-workload.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/token-load.h"
#include "ns3/training-batch.h"
#include "ns3/training-spec.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `training`: iterations of a Mixture-of-Experts model on the whole cluster.
class TrainingWorkload : public Workload
{
  public:
    /// Traffic with separate queue pairs.
    enum Communicators
    {
        SEPARATE, //!< each kind of traffic
        SHARED    //!< only temporary replicas of experts
    };

    /// Timing of transfers of temporary replicas.
    enum Transfers
    {
        PUBLISHED, //!< as in the policy's source
        BLOCKING,
        OVERLAPPED,
        INTERLEAVED,
        SCHEDULED
    };

    /// Iterations that moves of experts are charged to.
    enum Moves
    {
        MEAN,         //!< all iterations equally, with the mean over whole periods of the policy
        AS_THEY_COME, //!< the iteration after the move
    };

    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    std::shared_ptr<const GraphProgram> MakeOutline(const WorkloadSetting& setting) const override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::string WhyUnannounced() const override;
    bool MovesOther() const override;
    bool PlacesExperts() const override;

  protected:
    void DoDispose() override;

  private:
    static void CheckLayers(const TrainingSpec& spec);
    void CheckCircuits(const TrainingSpec& spec) const;
    void CheckExperts(const TrainingSpec& spec) const;
    static void CheckReplicas(const TrainingSpec& spec);
    static void CheckCollectives(const TrainingSpec& spec);
    void CheckMemory(const TrainingProgram& program) const;
    void CheckSize(const TrainingSpec& spec) const; //!< checks time, traffic and memory
    TrainingSpec MakeSpec(const WorkloadSetting& setting) const;

    Ptr<MoeModel> m_model;
    Ptr<ParallelLayout> m_parallel;
    Ptr<TrainingBatch> m_batch;
    Ptr<ComputeModel> m_compute;
    Ptr<TokenLoad> m_load;
    Ptr<ExpertPolicy> m_experts;
    uint32_t m_mergedGroups;
    Transfers m_transfers;
    Moves m_moves;
    bool m_movesOverlap;
    std::optional<Time> m_planning;
    std::optional<std::string> m_planningPath;
    std::optional<ByteSize> m_budget;
    std::optional<uint32_t> m_copyPieces;
    uint32_t m_partGpus;
    uint32_t m_warmUp;
    std::optional<ByteSize> m_memory;
    Ptr<PipelineSchedule> m_schedule;
    Ptr<DataParallelism> m_data;
    NameList m_recompute;
    Ptr<ExchangeScheme> m_exchange;
    Precision m_precision;
    Ptr<TrainingBytes> m_bytes;
    ByteSize m_bytesPerElement;
    ByteSize m_bytesPerGradient;
    uint32_t m_layers;
    uint32_t m_microbatches;
    bool m_fastForward;
    uint32_t m_ringSteps;
    Ptr<CollectiveOptions> m_collectives;
    Communicators m_communicators;
    uint32_t m_iterations;
};

namespace
{

constexpr double kMostSeconds = 4e6; // 46 days, of the 106 until time ends

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TrainingWorkload);

TypeId
TrainingWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::TrainingWorkload").SetParent<Workload>(),
            "Iterations of a Mixture-of-Experts model: computing, and all traffic of tensor, "
            "context, pipeline, expert and data parallelism on the network.")
            .SetGroupName("Rails")
            .AddConstructor<TrainingWorkload>()
            .AddAttribute("Model",
                          "The model; every dimension can be given anew.",
                          StringValue("ns3::rails::Mixtral-8x7bMoeModel"),
                          MakePointerAccessor(&TrainingWorkload::m_model),
                          MakePointerChecker<MoeModel>())
            .AddAttribute("Parallel",
                          "How it is divided over the GPUs.",
                          StringValue("ns3::rails::ParallelLayout"),
                          MakePointerAccessor(&TrainingWorkload::m_parallel),
                          MakePointerChecker<ParallelLayout>())
            .AddAttribute("Batch",
                          "What an iteration goes through.",
                          StringValue("ns3::rails::TrainingBatch"),
                          MakePointerAccessor(&TrainingWorkload::m_batch),
                          MakePointerChecker<TrainingBatch>())
            .AddAttribute("Compute",
                          "How long GPUs compute.",
                          StringValue("ns3::rails::FlopsComputeModel"),
                          MakePointerAccessor(&TrainingWorkload::m_compute),
                          MakePointerChecker<ComputeModel>())
            .AddAttribute("Load",
                          "How many tokens go to which expert.",
                          StringValue("ns3::rails::SyntheticTokenLoad"),
                          MakePointerAccessor(&TrainingWorkload::m_load),
                          MakePointerChecker<TokenLoad>())
            .AddAttribute("Experts",
                          "Which GPU computes which tokens, and which experts are copied or moved "
                          "for that.",
                          StringValue("ns3::rails::PlainEpExpertPolicy"),
                          MakePointerAccessor(&TrainingWorkload::m_experts),
                          MakePointerChecker<ExpertPolicy>())
            .AddAttribute("MergedGroups",
                          "Groups of expert parallelism, side by side in a stage of the pipeline, "
                          "that experts' policy plans as one. (a MicroEP group of MicroMoE, arXiv "
                          "2511.16947.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingWorkload::m_mergedGroups),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute(
                "ExpertTransfers",
                "When parameters and gradients of copies travel: published: as the policy's source "
                "has it; blocking: by themselves; overlapped: beside tokens and computing, experts "
                "wait for them, and the end of a layer's way back; interleaved: behind tokens that "
                "go to experts and before those that come back, of which experts compute some "
                "while others come; scheduled: under named computations of the layer before. "
                "(FasterMoE, PPoPP 2022, its smart schedule; Pro-Prophet, arXiv 2411.10003, "
                "section 5.)",
                EnumValue(PUBLISHED),
                MakeWordAccessor(&TrainingWorkload::m_transfers),
                MakeEnumChecker(PUBLISHED,
                                "published",
                                BLOCKING,
                                "blocking",
                                OVERLAPPED,
                                "overlapped",
                                INTERLEAVED,
                                "interleaved",
                                SCHEDULED,
                                "scheduled"))
            .AddAttribute("ExpertMoves",
                          "Which iterations experts that move for good, planning and loads for "
                          "that are charged to: mean: each with the mean over whole periods of "
                          "the policy, or without a period over the iterations that are run; "
                          "as-they-come: the one before which they move.",
                          EnumValue(MEAN),
                          MakeWordAccessor(&TrainingWorkload::m_moves),
                          MakeEnumChecker(MEAN, "mean", AS_THEY_COME, "as-they-come"))
            .AddAttribute("ExpertMovesOverlap",
                          "Whether experts that move for good travel beside computing and tokens: "
                          "from the beginning of the iteration, which ends when they are there, on "
                          "the stream of gradients. By default nothing is computed until they "
                          "are there. (FlexMoE, SIGMOD 2023, moves them beside training.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TrainingWorkload::m_movesOverlap),
                          MakeBooleanChecker())
            .AddAttribute("ExpertPlanning",
                          "Time that every policy takes to plan a layer, so that policies are "
                          "compared by one rule. By default what each declares (planning_time), "
                          "which is nothing where no source says it.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&TrainingWorkload::m_planning),
                          MakeTimeRange(0, kNever / 2))
            .AddAttribute("ExpertPlanningPath",
                          "CSV of planning times that were measured once, which every policy of "
                          "experts is charged with: policy,experts,gpus,planning_ns,measured_on. "
                          "(./rails index DIR --planning FILE writes those that a study has "
                          "measured.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<StringValue>(&TrainingWorkload::m_planningPath),
                          MakeStringChecker())
            .AddAttribute("ExpertBudget",
                          "Memory of a GPU for experts of all of its layers: weights, gradients, "
                          "states of the optimizer. Policies of experts get as many slots as fit "
                          "in besides the experts at home, so that they are compared at equal "
                          "memory; slots of their own are an error beside it. By default policies "
                          "have the slots that they say. (memory, in contrast, is of all that a "
                          "GPU has, and refuses what needs more.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<ByteSizeValue>(&TrainingWorkload::m_budget),
                          MakeByteRange(1))
            .AddAttribute("CopyPieces",
                          "Pieces of a copy that GPUs pass on to each other, as in a broadcast. By "
                          "default as many of 512 KiB as its parameters have. (NCCL's broadcast, "
                          "which FasterMoE and Pro-Prophet call: a step of its ring, an eighth of "
                          "its buffer of 4 MiB.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&TrainingWorkload::m_copyPieces),
                          MakeCountRange<uint32_t>(1, 4096))
            .AddAttribute("PartGpus",
                          "Where copies are interleaved: GPUs with successive numbers that a GPU "
                          "exchanges tokens with at a time. (FasterMoE's artifact.)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&TrainingWorkload::m_partGpus),
                          MakeCountRange<uint32_t>(1, 65'536))
            .AddAttribute("WarmUp",
                          "Iterations before those that are run, whose loads experts' policy has "
                          "seen.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrainingWorkload::m_warmUp),
                          MakeCountRange<uint32_t>(0, 1'000'000))
            .AddAttribute("Memory",
                          "Of a GPU: a training that needs more is refused. By default it is not "
                          "asked for.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<ByteSizeValue>(&TrainingWorkload::m_memory),
                          MakeByteRange(1))
            .AddAttribute("Schedule",
                          "Order of micro-batches on a stage of the pipeline.",
                          StringValue("ns3::rails::1f1bPipelineSchedule"),
                          MakePointerAccessor(&TrainingWorkload::m_schedule),
                          MakePointerChecker<PipelineSchedule>())
            .AddAttribute("Data",
                          "What replicas of parameters exchange, and when.",
                          StringValue("ns3::rails::DistributedOptimizerDataParallelism"),
                          MakePointerAccessor(&TrainingWorkload::m_data),
                          MakePointerChecker<DataParallelism>())
            .AddAttribute("Recompute",
                          "none: all is kept for the way back; full: the input of a layer alone, "
                          "and it goes forward again; a list: parts of layers do so before their "
                          "way back. mla_up_proj: of latent attention, queries, keys and values "
                          "stay compressed and are projected again; core_attn: each token with "
                          "those before it; mlp: networks of dense layers; moe: gate, exchanges "
                          "and experts; shared_experts; moe_act: the activation of experts; "
                          "layernorm: norms, which keep a vector each with it and without. The "
                          "last two take time with compute: profile alone. (Names as in "
                          "Megatron-LM, --recompute-modules.)",
                          NameListValue(NameList({"none"})),
                          MakeNameListAccessor(&TrainingWorkload::m_recompute),
                          Create<WordListChecker>(std::vector<std::string>{"none", "full"},
                                                  std::vector<std::string>{"mla_up_proj",
                                                                           "core_attn",
                                                                           "mlp",
                                                                           "moe",
                                                                           "shared_experts",
                                                                           "moe_act",
                                                                           "layernorm"}))
            .AddAttribute("Exchange",
                          "What is sent of a token that goes to several experts.",
                          StringValue("ns3::rails::PairsExchangeScheme"),
                          MakePointerAccessor(&TrainingWorkload::m_exchange),
                          MakePointerChecker<ExchangeScheme>())
            .AddAttribute("Precision",
                          "In which matrices are multiplied: fp8-block: FP8 with a scale for 1 x "
                          "128 elements of activations and 128 x 128 of weights (DeepSeek-V3, "
                          "arXiv 2412.19437); mxfp8: with one for 32 elements (OCP "
                          "Microscaling). Times follow it with compute: profile; bytes has what it "
                          "changes of what is sent.",
                          EnumValue(BF16),
                          MakeWordAccessor(&TrainingWorkload::m_precision),
                          MakeEnumChecker(BF16, "bf16", FP8_BLOCK, "fp8-block", MXFP8, "mxfp8"))
            .AddAttribute("Bytes",
                          "Bytes of an element of what is sent, by kind.",
                          StringValue("ns3::rails::TrainingBytes"),
                          MakePointerAccessor(&TrainingWorkload::m_bytes),
                          MakePointerChecker<TrainingBytes>())
            .AddAttribute("BytesPerElement",
                          "Of activations and parameters: what is kept, and what is sent unless "
                          "bytes says otherwise.",
                          ByteSizeValue(ByteSize(2)),
                          MakeByteSizeAccessor(&TrainingWorkload::m_bytesPerElement),
                          MakeByteRange(1, 16))
            .AddAttribute("BytesPerGradient",
                          "Of gradients of parameters: what is kept, and what is sent unless "
                          "bytes.gradients is set.",
                          ByteSizeValue(ByteSize(4)),
                          MakeByteSizeAccessor(&TrainingWorkload::m_bytesPerGradient),
                          MakeByteRange(1, 16))
            .AddAttribute("Layers",
                          "Runs the first layers alone; 0 stands for all of the model.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrainingWorkload::m_layers),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Microbatches",
                          "Runs so many micro-batches alone; 0 stands for all of the batch.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TrainingWorkload::m_microbatches),
                          MakeCountRange<uint32_t>())
            .AddAttribute("FastForward",
                          "Micro-batches of which the loads repeat are run until all GPUs take "
                          "equally long for them, and what is left out is added. Not with loads "
                          "that vary, a policy of experts, circuits or failures.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TrainingWorkload::m_fastForward),
                          MakeBooleanChecker())
            .AddAttribute("Collectives",
                          "How gradients and parameters of replicas, and what tensor-parallel GPUs "
                          "compute together, go round: all-gathers and reduce-scatters.",
                          StringValue("ns3::rails::CollectiveOptions"),
                          MakePointerAccessor(&TrainingWorkload::m_collectives),
                          MakePointerChecker<CollectiveOptions>())
            .AddAttribute(
                "Communicators",
                "separate: dispatch, combine, tensor, context, pipeline, expert-tensor, data and "
                "expert-data have queue pairs of their own, as communicators of NCCL have, and "
                "share a NIC by turns; shared: what is posted first to a pair of NICs goes first, "
                "whole. Copies of experts always have their own.",
                EnumValue(SEPARATE),
                MakeWordAccessor(&TrainingWorkload::m_communicators),
                MakeEnumChecker(SEPARATE, "separate", SHARED, "shared"))
            .AddAttribute(
                "RingSteps",
                "Most steps of a ring of replicas (gradients and parameters): of a longer "
                "one several are taken together, with all of their bytes, and the "
                "latency of one; of several rings, each has so many; 0: never. For thousands of "
                "replicas. (our choice)",
                UintegerValue(0),
                MakeUintegerAccessor(&TrainingWorkload::m_ringSteps),
                MakeCountRange<uint32_t>())
            .AddAttribute("Iterations",
                          "How many iterations are run.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingWorkload::m_iterations),
                          MakeCountRange<uint32_t>(1, 1'000'000));
    return tid;
}

void
TrainingWorkload::DoDispose()
{
    m_model = nullptr;
    m_parallel = nullptr;
    m_batch = nullptr;
    m_compute = nullptr;
    m_bytes = nullptr;
    m_load = nullptr;
    m_experts = nullptr;
    m_schedule = nullptr;
    m_exchange = nullptr;
    m_data = nullptr;
    m_collectives = nullptr;
    Workload::DoDispose();
}

TrainingSpec
TrainingWorkload::MakeSpec(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    const uint32_t gpus = shape.GetGpus();
    RankMaps maps = m_parallel->MakeMaps(gpus);
    TrainingSpec spec;
    spec.shape = shape;
    spec.model = m_model->GetDimensions();
    const bool isDense = spec.model.denseLayers == spec.model.layers;
    spec.modelLayers = spec.model.layers - spec.model.mtpLayers;
    spec.layout = m_parallel->GetLayout();
    spec.layout.AddPredictions(spec.model.mtpLayers);
    spec.model.mtpLayers = spec.layout.predictions;
    spec.model.layers = (m_layers == 0 ? spec.modelLayers : m_layers) + spec.model.mtpLayers;
    spec.modelDenseLayers =
        isDense ? spec.modelLayers + spec.model.mtpLayers : spec.model.denseLayers;
    spec.model.denseLayers = std::min(spec.modelDenseLayers, spec.model.layers);
    spec.attention = maps.attention;
    spec.experts = maps.experts;
    spec.tp = m_parallel->GetTp();
    spec.cp = m_parallel->GetCp();
    spec.dp = m_parallel->GetDp(gpus);
    spec.pp = m_parallel->GetPp();
    spec.ep = m_parallel->GetEp();
    spec.etp = m_parallel->GetEtp();
    spec.edp = m_parallel->GetEdp(gpus);
    spec.chunks = m_parallel->GetVpp();
    CheckNested("batch", [&] { spec.microbatches = m_batch->GetMicrobatches(spec.dp); });
    spec.batchMicrobatches = spec.microbatches;
    spec.microbatches = m_microbatches == 0 ? spec.microbatches : m_microbatches;
    spec.microbatchesKey = m_microbatches == 0 ? "batch.global" : "microbatches";
    spec.forwards = m_fastForward;
    spec.sequences = m_batch->GetMicro();
    spec.sequence = m_batch->GetSequence();
    spec.elementBytes = m_bytesPerElement.Get();
    spec.gradientBytes = m_bytesPerGradient.Get();
    spec.precision = m_precision;
    spec.bytes = m_bytes->Get(m_precision,
                              static_cast<double>(spec.elementBytes),
                              static_cast<double>(spec.gradientBytes));
    const ExchangeChoice exchange = m_exchange->Get();
    spec.deduplicates = exchange.deduplicates;
    spec.exchangePiece = exchange.piece;
    spec.exchangeSms = exchange.sms;
    const std::vector<std::string>& again = m_recompute.Get();
    const auto has = [&](const char* word) {
        return std::find(again.begin(), again.end(), word) != again.end();
    };
    spec.recomputes = has("full");
    spec.reprojects = has("mla_up_proj");
    spec.again = {has("core_attn"),
                  has("moe_act"),
                  has("mlp"),
                  has("moe"),
                  has("shared_experts"),
                  has("layernorm")};
    spec.iterations = m_iterations;
    spec.ringSteps = m_ringSteps == 0 ? spec.ringSteps : m_ringSteps;
    spec.collectives = m_collectives->Get();
    spec.sharesQueues = m_communicators == SHARED;
    spec.rates = setting.rates;
    spec.chooser = setting.chooser;
    spec.circuits = setting.circuits;
    spec.handling.policy = m_experts;
    spec.handling.merged = m_mergedGroups;
    spec.handling.pieces = m_copyPieces.value_or(CountCopyPieces(
        static_cast<uint64_t>(spec.model.GetExpertParameters() * spec.bytes.parameters)));
    spec.handling.givesPieces = m_copyPieces.has_value();
    spec.handling.partGpus = m_partGpus;
    spec.handling.warmUp = m_warmUp;
    spec.handling.meansMoves = m_moves == MEAN;
    spec.handling.movesBeside = m_movesOverlap;
    spec.handling.planning = {"expert_planning",
                              m_planning ? std::optional(m_planning->GetSeconds()) : std::nullopt,
                              "expert_planning_path",
                              m_planningPath};
    spec.handling.budget = m_budget ? std::optional(m_budget->Get()) : std::nullopt;
    spec.handling.keepsCopies = setting.keepsPlacement;
    if (m_transfers != PUBLISHED)
    {
        spec.handling.copyTiming = m_transfers == BLOCKING      ? CopyTiming::Blocking
                                   : m_transfers == OVERLAPPED  ? CopyTiming::Overlapped
                                   : m_transfers == INTERLEAVED ? CopyTiming::Interleaved
                                                                : CopyTiming::Scheduled;
    }
    spec.schedule = m_schedule;
    spec.chunks = m_schedule->CountChunks(spec.chunks);
    spec.data = m_data->Get();
    spec.compute = m_compute;
    spec.load = m_load;
    return spec;
}

void
TrainingWorkload::CheckCircuits(const TrainingSpec& spec) const
{
    if (spec.circuits.servers == 0)
    {
        return;
    }
    const GpuPartition groups = MakeExpertGroups(spec);
    const uint32_t gpus = spec.circuits.servers * spec.shape.gpusPerServer;
    for (const std::vector<uint32_t>& members : groups.GetGroups())
    {
        const uint32_t first = members.front() / gpus * gpus;
        const auto isIn = [&](uint32_t gpu) { return gpu / gpus * gpus == first; };
        if (!std::all_of(members.begin(), members.end(), isIn))
        {
            throw ConfigurationError("parallel.ep",
                                     "a group of expert parallelism has GPUs in several regions of "
                                     "circuits (" +
                                         std::to_string(spec.circuits.servers) +
                                         " servers each), which circuits never cross: make regions "
                                         "larger, or change ep, merged_groups or the order");
        }
    }
    for (uint32_t gpu = 0; gpu < spec.shape.GetGpus(); ++gpu)
    {
        if (spec.attention.GetCoordinate(gpu, "pp") !=
            spec.attention.GetCoordinate(gpu / gpus * gpus, "pp"))
        {
            throw ConfigurationError("parallel.pp",
                                     "a region of circuits has GPUs of several stages of the "
                                     "pipeline, which do not wait for each other: make regions "
                                     "smaller, or change pp or the order");
        }
    }
}

void
TrainingWorkload::CheckExperts(const TrainingSpec& spec) const
{
    const ExpertHandling& handling = spec.handling;
    if (spec.edp % handling.merged != 0 || (handling.merged > 1 && handling.IsPlain()))
    {
        throw ConfigurationError(
            "merged_groups",
            handling.IsPlain() ? "experts: plain-ep plans nothing, neither of one group nor of "
                                 "several: set a policy, or leave merged_groups out"
                               : "a stage has " + std::to_string(spec.edp) +
                                     " groups of expert parallelism side by side (edp): expected a "
                                     "divisor of that");
    }
    if (handling.budget)
    {
        CheckHomes("expert_budget", *handling.budget, FindMemory(spec).experts);
    }
    if (handling.IsPlain())
    {
        return;
    }
    if (spec.etp > 1)
    {
        throw ConfigurationError("parallel.etp",
                                 "policies of experts know experts that are on one GPU each: set "
                                 "it to 1, or experts to plain-ep");
    }
    if (spec.ep * handling.merged < 2)
    {
        throw ConfigurationError("parallel.ep",
                                 "every GPU has all experts, so there is nothing to plan: expected "
                                 "at least 2, or merged_groups");
    }
    if (spec.deduplicates && handling.policy->Pads())
    {
        throw ConfigurationError("exchange",
                                 "rows without a token cannot be de-duplicated: set it to pairs, "
                                 "or take a policy of experts without padding");
    }
    if (handling.GetCopyTiming() == CopyTiming::Scheduled &&
        handling.policy->GetKnowledge() != ExpertKnowledge::Forecast)
    {
        throw ConfigurationError("expert_transfers",
                                 "only copies that are known before the layer can be scheduled "
                                 "under the layer before: those of pro-prophet");
    }
    if (handling.copyTiming == CopyTiming::Interleaved &&
        (!spec.Interleaves() || handling.policy->GetKnowledge() != ExpertKnowledge::Counts))
    {
        throw ConfigurationError("expert_transfers",
                                 "only copies that are decided behind the gate, as those of "
                                 "faster-moe, go between tokens, and not where tokens are "
                                 "de-duplicated, passes merged or circuits moved");
    }
    const GpuPartition groups = MakeExpertGroups(spec);
    if (!groups.AreEven())
    {
        throw ConfigurationError("parallel.order",
                                 "policies of experts plan for groups that have as many GPUs in "
                                 "each of their servers, numbered one behind the other, and all "
                                 "groups as many: change the order, ep or merged_groups");
    }
    const ExpertSetting setting = MakeExpertSetting(spec, groups);
    CheckNested("experts", [&] { handling.policy->Check(setting); });
}

void
TrainingWorkload::CheckReplicas(const TrainingSpec& spec)
{
    if (spec.CountMirrors() > 1 && !spec.data.GathersAtEnd())
    {
        throw ConfigurationError("data",
                                 "stages that have the same parts of the model share the optimizer "
                                 "of distributed-optimizer alone, with parameters that are "
                                 "gathered behind it: set this, or another schedule");
    }
    if (!spec.handling.KeepsExperts() && !spec.data.GathersAtEnd())
    {
        throw ConfigurationError("data",
                                 "a policy that copies or moves experts knows "
                                 "distributed-optimizer alone, with parameters that are gathered "
                                 "behind it: set this, or experts to plain-ep");
    }
}

void
TrainingWorkload::CheckCollectives(const TrainingSpec& spec)
{
    const TrainingCollectives collectives(spec);
    using Group = TrainingGroup;
    for (const Group group : {Group::Tensor, Group::Data, Group::ExpertData})
    {
        const CollectiveGroups& groups = collectives.GetGroups(group);
        if (groups.GetSize() > 1)
        {
            CheckNested("collectives", [&] { CheckCollective(groups, spec.collectives); });
        }
    }
}

void
TrainingWorkload::CheckMemory(const TrainingProgram& program) const
{
    if (!m_memory)
    {
        return;
    }
    // GetTotal() draws all tokens and replicas, so that their memory is known.
    program.GetTotal();
    const TrainingMemory memory = FindMemory(program.GetSpec(), program.GetExpertFigures());
    const std::pair<const char*, double> parts[] = {{"weights", memory.weights},
                                                    {"gradients", memory.gradients},
                                                    {"optimizer", memory.optimizer},
                                                    {"activations", memory.activations},
                                                    {"logits", memory.logits},
                                                    {"copies of experts", memory.copies}};
    if (memory.GetSum() > static_cast<double>(m_memory->Get()))
    {
        std::string list;
        for (const auto& [name, bytes] : parts)
        {
            list += (list.empty() ? "" : ", ") + std::string(name) + " " + FormatRoundBytes(bytes);
        }
        throw ConfigurationError(
            "memory",
            "a GPU needs " + FormatRoundBytes(memory.GetSum()) + ", which is " +
                FormatRoundBytes(memory.GetSum() - static_cast<double>(m_memory->Get())) +
                " more: " + list +
                " (each rounded up): divide the model further, take smaller "
                "micro-batches, recompute: full, or fewer slots");
    }
}

void
TrainingWorkload::Check(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    CheckNested("model", [this] { m_model->Check(); });
    CheckNested("parallel", [&] { m_parallel->Check(shape.GetGpus()); });
    const ModelDimensions model = m_model->GetDimensions();
    const uint32_t layers = model.layers - model.mtpLayers;
    const uint32_t ahead = m_parallel->GetLayout().predictions;
    if (ahead > 0 && model.mtpLayers > 0 && ahead != model.mtpLayers)
    {
        throw ConfigurationError("parallel.layout",
                                 "it has " + std::to_string(ahead) +
                                     " layers of multi-token prediction (m), and "
                                     "model.mtp_layers " +
                                     std::to_string(model.mtpLayers) + ": change one of them");
    }
    if (m_layers > layers)
    {
        throw ConfigurationError("layers",
                                 "the model has only " + std::to_string(layers) + " layers");
    }
    const TrainingSpec spec = MakeSpec(setting);
    if (m_microbatches > m_batch->GetMicrobatches(spec.dp))
    {
        throw ConfigurationError("microbatches",
                                 "the batch has " +
                                     std::to_string(m_batch->GetMicrobatches(spec.dp)) +
                                     " micro-batches only");
    }
    CheckLayers(spec);
    m_schedule->Check(spec);
    if (spec.model.experts % spec.ep != 0)
    {
        throw ConfigurationError("parallel.ep",
                                 "must divide the " + std::to_string(spec.model.experts) +
                                     " experts of a layer: redundant experts on GPUs that do not "
                                     "are for a study of policies, the section experts");
    }
    const uint64_t tokens = uint64_t{spec.sequences} * spec.sequence;
    if (spec.sequence % (spec.cp * spec.tp) != 0)
    {
        throw ConfigurationError(
            "batch.sequence",
            "tokens of a sequence are divided over cp x tp = " + std::to_string(spec.cp * spec.tp) +
                " GPUs: expected a "
                "multiple of that");
    }
    if (tokens > std::numeric_limits<int32_t>::max() / spec.model.topK)
    {
        throw ConfigurationError(
            "batch.sequence",
            "micro x sequence = " + std::to_string(tokens) + " tokens of a micro-batch, for " +
                std::to_string(spec.model.topK) + " experts each, are more than 2^31");
    }
    constexpr uint64_t mostPasses = 2'000'000; // of all stages, each some hundred bytes
    if (uint64_t{spec.microbatches} * spec.chunks * spec.pp > mostPasses)
    {
        throw ConfigurationError(
            "microbatches",
            "a pipeline of more than 2 million passes: run fewer micro-batches "
            "of the " +
                std::to_string(spec.microbatches) + " of an iteration by setting microbatches");
    }
    CheckNested("load", [&] { m_load->Check(spec.GetLoadShape()); });
    CheckNested("compute", [&] { m_compute->Check(shape.GetGpus(), m_precision); });
    if (spec.exchangeSms >= m_compute->GetSms())
    {
        throw ConfigurationError("exchange.sms",
                                 "a GPU has " + std::to_string(m_compute->GetSms()) +
                                     " multiprocessors (compute.sms), of which kernels of the "
                                     "exchange leave some for computing: expected fewer");
    }
    CheckRegionsOfCircuits(setting);
    CheckCircuits(spec);
    CheckExperts(spec);
    CheckReplicas(spec);
    CheckCollectives(spec);
    CheckSize(spec);
}

void
TrainingWorkload::CheckSize(const TrainingSpec& spec) const
{
    constexpr double mostBytes = 4e18;
    try
    {
        TrainingProgram program(spec);
        if (!(program.EstimateSeconds() < kMostSeconds))
        {
            throw ConfigurationError(m_iterations > 1 ? "iterations" : "compute",
                                     "all together compute for more than 46 days");
        }
        if (!(program.EstimateBytes() < mostBytes))
        {
            throw ConfigurationError(m_iterations > 1 ? "iterations" : "model",
                                     "all together move more than 4 exabytes: run fewer "
                                     "iterations, micro-batches or layers");
        }
        if (m_memory)
        {
            m_load->Start();
            m_compute->Start();
            program.Prepare();
            CheckMemory(program);
        }
    }
    catch (const std::length_error&)
    {
        throw ConfigurationError("iterations",
                                 "there are more than 2^32 steps of transfers: run fewer "
                                 "iterations, micro-batches or layers");
    }
}

void
TrainingWorkload::CheckLayers(const TrainingSpec& spec)
{
    const std::vector<uint32_t>& dealt = spec.layout.layers;
    const uint64_t sum = std::accumulate(dealt.begin(), dealt.end(), uint64_t{0});
    if (!dealt.empty() && sum != spec.model.layers)
    {
        throw ConfigurationError("parallel.layout",
                                 "it has " + std::to_string(sum - spec.layout.predictions) +
                                     " layers, and " +
                                     std::to_string(spec.model.layers - spec.layout.predictions) +
                                     " are run: deal all of these, or change layers");
    }
    const uint32_t counted = spec.layout.CountDealt(spec.model.layers);
    if (dealt.empty() && spec.CountParts() > counted)
    {
        const bool countsMore = spec.layout.countsEmbedding || spec.layout.countsLoss;
        throw ConfigurationError(
            spec.CountParts() > spec.pp ? "parallel.vpp" : "parallel.pp",
            "there are " + std::to_string(counted) + " layers" +
                (countsMore ? ", those that layout counts as such among them," : "") +
                " for pp x vpp = " + std::to_string(spec.CountParts()) +
                " chunks: each has one at least" +
                (countsMore ? "" : ", with layout: even+embedding+loss these two as well"));
    }
}

std::shared_ptr<const GraphProgram>
TrainingWorkload::MakeProgram(const WorkloadSetting& setting)
{
    m_load->Start();
    m_compute->Start();
    const auto program = std::make_shared<TrainingProgram>(MakeSpec(setting));
    program->Prepare();
    // Planning time is known, since a policy has planned all iterations.
    if (!program->GetSpec().handling.IsPlain())
    {
        if (!(program->GetExpertFigures().planningS * m_iterations < kMostSeconds))
        {
            throw ConfigurationError("experts.planning_time",
                                     "planning alone takes more than 46 days");
        }
    }
    CheckMemory(*program);
    return program;
}

std::shared_ptr<const GraphProgram>
TrainingWorkload::MakeOutline(const WorkloadSetting& setting) const
{
    m_load->Start();
    m_compute->Start();
    auto program = std::make_shared<TrainingProgram>(MakeSpec(setting));
    if (program->GetSpec().handling.IsPlain())
    {
        program->Prepare();
    }
    else
    {
        program->Sample();
    }
    return program;
}

double
TrainingWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    return TrainingProgram(MakeSpec(setting)).EstimateBytes();
}

double
TrainingWorkload::EstimateCost(const WorkloadSetting& setting) const
{
    return TrainingProgram(MakeSpec(setting)).EstimateWork().cost;
}

double
TrainingWorkload::EstimateConnections(const WorkloadSetting& setting, uint32_t) const
{
    // Connections per GPU: with servers of its experts, both ways, and with neighbours of other
    // groups.
    constexpr double ofGpu = 40;
    return ofGpu * setting.shape.GetGpus();
}

double
TrainingWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    return TrainingProgram(MakeSpec(setting)).EstimateMessages();
}

int64_t
TrainingWorkload::AssignStreams(int64_t stream)
{
    const int64_t used = m_load->AssignStreams(stream);
    const int64_t more = used + m_experts->AssignStreams(stream + used);
    return more + m_compute->AssignStreams(stream + more);
}

std::string
TrainingWorkload::WhyUnannounced() const
{
    return "";
}

bool
TrainingWorkload::MovesOther() const
{
    return true;
}

bool
TrainingWorkload::PlacesExperts() const
{
    return true;
}

} // namespace ns3::rails
