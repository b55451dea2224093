// SPDX-License-Identifier: GPL-2.0-only
#include "moe-model.h"

#include "published-models.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(MoeModel);

namespace
{

/// A key of all models.
struct DimensionKey
{
    const char* name;
    const char* help;
    uint32_t ModelDimensions::*member;
    uint32_t lowest;
    uint32_t highest{100'000'000};
};

constexpr DimensionKey kKeys[] = {
    {"Layers", "Layers, dense ones included.", &ModelDimensions::layers, 1, 10'000},
    {"DenseLayers",
     "How many of the first layers have no experts.",
     &ModelDimensions::denseLayers,
     0},
    {"MtpLayers",
     "Layers of multi-token prediction behind these: each a layer more, a projection of two "
     "vectors "
     "to one in front of it, and logits of its own by the model's head. In the last chunk of the "
     "last stage, or where the m of parallel.layout are. (DeepSeek-V3, arXiv 2412.19437, section "
     "2.2, which has one; Megatron-LM, --mtp-num-layers.)",
     &ModelDimensions::mtpLayers,
     0,
     100},
    {"Hidden", "Elements of a token's vector.", &ModelDimensions::hidden, 1},
    {"Heads", "Heads of attention.", &ModelDimensions::heads, 1},
    {"KvHeads", "Heads of keys and values.", &ModelDimensions::kvHeads, 1},
    {"HeadWidth",
     "Elements of a head, those of rope_width left out.",
     &ModelDimensions::headWidth,
     1},
    {"Ffn", "Intermediate width of a dense layer.", &ModelDimensions::ffn, 0},
    {"Experts", "Routed experts of a layer.", &ModelDimensions::experts, 1, 100'000},
    {"TopK", "Different experts that a token goes to.", &ModelDimensions::topK, 1},
    {"ExpertGroups",
     "Groups of equal size that the experts are in, by their numbers: of use with top_groups.",
     &ModelDimensions::expertGroups,
     1},
    {"TopGroups",
     "A token goes to experts of so many groups at most (node-limited routing of DeepSeek-V3): as "
     "many as expert_groups: no limit.",
     &ModelDimensions::topGroups,
     1},
    {"ExpertHidden",
     "Elements of a token's vector at experts; 0 stands for hidden.",
     &ModelDimensions::expertHidden,
     0},
    {"ExpertFfn", "Intermediate width of an expert.", &ModelDimensions::expertFfn, 1},
    {"SharedFfn",
     "Intermediate width of a layer's shared experts together; 0: it has none.",
     &ModelDimensions::sharedFfn,
     0},
    {"Vocabulary", "How many different tokens there are.", &ModelDimensions::vocabulary, 1},
    {"QueryRank",
     "Latent attention: width of compressed queries; 0: they are not.",
     &ModelDimensions::queryRank,
     0},
    {"KvRank",
     "Latent attention: width of compressed keys and values; 0: they are not.",
     &ModelDimensions::kvRank,
     0},
    {"RopeWidth",
     "Latent attention: elements of a head that carry the position.",
     &ModelDimensions::ropeWidth,
     0},
};

} // namespace

TypeId
MoeModel::GetTypeId()
{
    static TypeId tid = SetDocumentation(TypeId("ns3::rails::MoeModel").SetParent<Object>(),
                                         "A transformer with Mixture-of-Experts layers.")
                            .SetGroupName("Rails");
    return tid;
}

void
MoeModel::RegisterTypes()
{
    static const bool done = [] {
        for (const PublishedModel& model : GetPublishedModels())
        {
            TypeId tid("ns3::rails::" + model.name + "MoeModel");
            tid.SetParent<MoeModel>().SetGroupName("Rails").AddConstructor<MoeModel>();
            SetDocumentation(tid,
                             model.about + " (" + model.source +
                                 "; balancing: " + model.balancingSource + ".)");
            for (const DimensionKey& key : kKeys)
            {
                tid.AddAttribute(
                    key.name,
                    key.help,
                    UintegerValue(model.dimensions.*key.member),
                    MakeUintegerAccessor(static_cast<uint32_t MoeModel::*>(key.member)),
                    MakeCountRange<uint32_t>(key.lowest, key.highest));
            }
            tid.AddAttribute(
                "Gated",
                "Feed-forward networks have three matrices (SwiGLU), not two.",
                BooleanValue(model.dimensions.gated),
                MakeBooleanAccessor(static_cast<bool MoeModel::*>(&ModelDimensions::gated)),
                MakeBooleanChecker());
            tid.AddAttribute(
                "Balancing",
                "What its training does for experts to have equal loads, which the "
                "load `synthetic` is like unless it says otherwise: no-aux, nothing; "
                "aux-loss, a balancing loss; loss-free, biases.",
                EnumValue(model.dimensions.balancing),
                MakeWordAccessor(static_cast<Balancing MoeModel::*>(&ModelDimensions::balancing)),
                MakeEnumChecker(NO_BALANCING,
                                "no-aux",
                                BALANCING_LOSS,
                                "aux-loss",
                                BALANCING_BIASES,
                                "loss-free"));
        }
        return true;
    }();
    static_cast<void>(done);
}

namespace
{

/// Registers the types at static initialization.
struct Registration
{
    Registration()
    {
        MoeModel::RegisterTypes();
    }
};

const Registration kRegistration;

} // namespace

void
MoeModel::Check() const
{
    if (denseLayers > layers)
    {
        throw ConfigurationError("dense_layers",
                                 "the model has only " + std::to_string(layers) + " layers");
    }
    if (denseLayers > 0 && ffn == 0)
    {
        throw ConfigurationError(
            "ffn",
            "the model has no width for dense layers: set ffn, or dense_layers to 0");
    }
    if (topK > experts)
    {
        throw ConfigurationError("top_k",
                                 "a token cannot go to " + std::to_string(topK) +
                                     " different experts out of " + std::to_string(experts));
    }
    if (experts % expertGroups != 0)
    {
        throw ConfigurationError("expert_groups",
                                 std::to_string(expertGroups) + " groups do not divide the " +
                                     std::to_string(experts) + " experts: set expert_groups");
    }
    if (topGroups > expertGroups)
    {
        throw ConfigurationError("top_groups",
                                 "there are only " + std::to_string(expertGroups) +
                                     " groups: set top_groups, or expert_groups");
    }
    if (topK > topGroups * (experts / expertGroups))
    {
        throw ConfigurationError("top_groups",
                                 std::to_string(topGroups) + " groups have less than the " +
                                     std::to_string(topK) +
                                     " experts that a token goes to: set top_groups");
    }
    if (heads % kvHeads != 0)
    {
        throw ConfigurationError("kv_heads",
                                 std::to_string(kvHeads) +
                                     " heads of keys and values do not divide the " +
                                     std::to_string(heads) + " heads: set kv_heads");
    }
    if (kvRank == 0 && (queryRank != 0 || ropeWidth != 0))
    {
        throw ConfigurationError(
            queryRank != 0 ? "query_rank" : "rope_width",
            "query_rank and rope_width are of latent attention, and kv_rank is 0: set "
            "kv_rank, or these two to 0");
    }
}

ModelDimensions
MoeModel::GetDimensions() const
{
    ModelDimensions all = *this;
    all.layers += mtpLayers;
    all.denseLayers += denseLayers == layers ? mtpLayers : 0;
    return all;
}

} // namespace ns3::rails
