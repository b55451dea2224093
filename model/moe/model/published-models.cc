// SPDX-License-Identifier: GPL-2.0-only
#include "published-models.h"

#include <cstdint>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kGpt2Vocabulary = 50257;

/// Attention of all heads, three matrices in each network, no dense layers.
ModelDimensions
MakePlain(uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t kvHeads, uint32_t vocabulary)
{
    ModelDimensions model;
    model.layers = layers;
    model.hidden = hidden;
    model.heads = heads;
    model.kvHeads = kvHeads;
    model.headWidth = hidden / heads;
    model.vocabulary = vocabulary;
    return model;
}

ModelDimensions
AddExperts(ModelDimensions model, uint32_t experts, uint32_t topK, uint32_t expertFfn)
{
    model.experts = experts;
    model.topK = topK;
    model.expertFfn = expertFfn;
    return model;
}

/// The latent attention of DeepSeek-V3.
ModelDimensions
AddLatentAttention(ModelDimensions model)
{
    model.headWidth = 128;
    model.queryRank = 1536;
    model.kvRank = 512;
    model.ropeWidth = 64;
    return model;
}

ModelDimensions
AddLoss(ModelDimensions model)
{
    model.balancing = ModelDimensions::BALANCING_LOSS;
    return model;
}

ModelDimensions
MakeGpt(uint32_t layers, uint32_t hidden, uint32_t heads)
{
    ModelDimensions model = MakePlain(layers, hidden, heads, heads, kGpt2Vocabulary);
    model.gated = false;
    return model;
}

ModelDimensions
MakeQwen15()
{
    ModelDimensions model = AddExperts(MakePlain(24, 2048, 16, 16, 151936), 60, 4, 1408);
    model.sharedFfn = 5632;
    return AddLoss(model);
}

ModelDimensions
MakeQwen3()
{
    ModelDimensions model = AddExperts(MakePlain(94, 4096, 64, 4, 151936), 128, 8, 1536);
    model.headWidth = 128;
    return AddLoss(model);
}

ModelDimensions
MakeQwen3Small()
{
    ModelDimensions model = AddExperts(MakePlain(48, 2048, 32, 4, 151936), 128, 8, 768);
    model.headWidth = 128;
    return AddLoss(model);
}

ModelDimensions
MakeQwen2()
{
    ModelDimensions model = AddExperts(MakePlain(28, 3584, 28, 4, 151936), 64, 8, 2560);
    model.sharedFfn = 20480;
    return AddLoss(model);
}

ModelDimensions
MakeGptOss()
{
    ModelDimensions model = AddExperts(MakePlain(36, 2880, 64, 8, 201088), 128, 4, 2880);
    model.headWidth = 64;
    return AddLoss(model);
}

ModelDimensions
MakeDeepseekV3()
{
    ModelDimensions model = AddExperts(MakePlain(61, 7168, 128, 128, 129280), 256, 8, 2048);
    model.expertGroups = 8;
    model.topGroups = 4;
    model.denseLayers = 3;
    model.ffn = 18432;
    model.sharedFfn = 2048;
    model.balancing = ModelDimensions::BALANCING_BIASES;
    return AddLatentAttention(model);
}

ModelDimensions
MakeKimiK2()
{
    ModelDimensions model = AddExperts(MakePlain(61, 7168, 64, 64, 163840), 384, 8, 2048);
    model.denseLayers = 1;
    model.ffn = 18432;
    model.sharedFfn = 2048;
    model.balancing = ModelDimensions::BALANCING_BIASES;
    return AddLatentAttention(model);
}

ModelDimensions
MakeKimiK3()
{
    ModelDimensions model = AddExperts(MakePlain(92, 7168, 64, 64, 163840), 896, 16, 3072);
    model.expertHidden = 3584;
    model.balancing = ModelDimensions::BALANCING_BIASES;
    return AddLatentAttention(model);
}

ModelDimensions
MakeProProphet(uint32_t layers, uint32_t hidden)
{
    return AddExperts(MakeGpt(layers, hidden, 16), 16, 1, 2 * hidden);
}

std::vector<PublishedModel>
MakeModels()
{
    const std::string proProphet =
        "arXiv 2411.10003, Table III; experts are as many as GPUs there, 16 by default here; heads "
        "from its launch script; vocabulary of GPT-2 is our choice; numbers of 4 bytes: set "
        "bytes_per_element";
    const std::string noLoss = "arXiv 2411.10003, launch script: a gate without a balancing loss";
    const std::string microMoe =
        "arXiv 2511.16947, section on the set-up; vocabulary and attention of all heads are our "
        "choice";
    const std::string smallLoss = "arXiv 2511.16947, section on the set-up: a small balancing loss";
    const std::string routerLoss = "router_aux_loss_coef of its configuration";
    return {
        {"Mixtral-8x7b",
         "Mixtral 8x7B: eight experts of which a token goes to two.",
         "mistralai/Mixtral-8x7B-v0.1, its configuration; also of arXiv 2501.03905 and 2511.16947",
         routerLoss,
         AddLoss(AddExperts(MakePlain(32, 4096, 32, 8, 32000), 8, 2, 14336))},
        {"Mixtral-8x22b",
         "Mixtral 8x22B: eight experts of which a token goes to two.",
         "mistralai/Mixtral-8x22B-v0.1, its configuration; arXiv 2501.03905 uses 32 heads",
         routerLoss,
         AddLoss(AddExperts(MakePlain(56, 6144, 48, 8, 32000), 8, 2, 16384))},
        {"Mixtral-8x22b-g8t8",
         "Mixtral 8x22B in fine grains: 64 experts of an eighth of its width, of which a token "
         "goes "
         "to eight.",
         "arXiv 2504.14960, section on the set-up; E, G and T of such names as in arXiv 2410.07524",
         "our choice: as Mixtral 8x22B",
         AddLoss(AddExperts(MakePlain(56, 6144, 48, 8, 32000), 64, 8, 2048))},
        {"Qwen1.5-moe-a2.7b",
         "Qwen1.5-MoE-A2.7B: 60 experts of which a token goes to four, and four shared ones.",
         "Qwen/Qwen1.5-MoE-A2.7B, its configuration; arXiv 2501.03905 says 64 experts, and 32 "
         "elsewhere",
         routerLoss,
         MakeQwen15()},
        {"Qwen2-57b",
         "Qwen2-57B-A14B: 64 experts of which a token goes to eight, and shared ones of as much.",
         "Qwen/Qwen2-57B-A14B, its configuration",
         routerLoss,
         MakeQwen2()},
        {"Qwen3-30b",
         "Qwen3-30B-A3B: 128 experts of which a token goes to eight.",
         "Qwen/Qwen3-30B-A3B, its configuration",
         routerLoss,
         MakeQwen3Small()},
        {"Qwen3-235b",
         "Qwen3-235B-A22B: 128 experts of which a token goes to eight.",
         "Qwen/Qwen3-235B-A22B, its configuration",
         routerLoss,
         MakeQwen3()},
        {"Gpt-oss-120b",
         "GPT-OSS 120B: 128 experts of which a token goes to four.",
         "openai/gpt-oss-120b, its configuration; every second layer of its attention sees 128 "
         "tokens, here all see the sequence",
         routerLoss,
         MakeGptOss()},
        {"Llama-moe-6.7b",
         "LLaMA-MoE 6.7B: the feed-forward networks of LLaMA-2 cut into 16 experts.",
         "llama-moe/LLaMA-MoE-v1-3_5B-4_16; which of top-2 and top-4 arXiv 2501.03905 uses is "
         "not known, top-4 is our choice",
         "gate_balance_loss_weight of its configuration",
         AddLoss(AddExperts(MakePlain(32, 4096, 32, 32, 32000), 16, 4, 688))},
        {"Deepseek-v3",
         "DeepSeek-V3 (and R1): latent attention, three dense layers, 256 experts in eight groups "
         "of which a token reaches four, one shared.",
         "deepseek-ai/DeepSeek-V3, its configuration; its layer of multi-token prediction is left "
         "out: mtp_layers adds it",
         "arXiv 2412.19437, section 2.1.2: biases; its small loss of a sequence is left out",
         MakeDeepseekV3()},
        {"Kimi-k2",
         "Kimi K2: latent attention, a dense layer, 384 experts of which a token goes to eight, "
         "one "
         "shared.",
         "moonshotai/Kimi-K2-Base, its configuration",
         "topk_method of its configuration (noaux_tc, biases); a small loss beside them is left "
         "out",
         MakeKimiK2()},
        {"Kimi-k3",
         "Kimi K3: 896 experts of which a token goes to 16, in vectors of half the width.",
         "layers, experts and their widths as published for MoonEP; attention and vocabulary are "
         "those of Kimi K2, our choice",
         "our reading: as DeepSeek-V3, whose design it follows",
         MakeKimiK3()},
        {"Pro-prophet-s", "MoE-GPT-S of Pro-Prophet.", proProphet, noLoss, MakeProProphet(12, 512)},
        {"Pro-prophet-m",
         "MoE-GPT-M of Pro-Prophet.",
         proProphet,
         noLoss,
         MakeProProphet(12, 1024)},
        {"Pro-prophet-l",
         "MoE-GPT-L of Pro-Prophet.",
         proProphet,
         noLoss,
         MakeProProphet(12, 2048)},
        {"Pro-prophet-ds",
         "MoE-GPT-DS of Pro-Prophet.",
         proProphet,
         noLoss,
         MakeProProphet(24, 512)},
        {"Pro-prophet-dm",
         "MoE-GPT-DM of Pro-Prophet.",
         proProphet,
         noLoss,
         MakeProProphet(24, 1024)},
        {"Gpt-32x1.3b",
         "GPT 32x1.3B of MicroMoE.",
         microMoe,
         smallLoss,
         AddLoss(AddExperts(MakeGpt(24, 2048, 16), 32, 2, 8192))},
        {"Gpt-16x3.2b",
         "GPT 16x3.2B of MicroMoE.",
         microMoe,
         smallLoss,
         AddLoss(AddExperts(MakeGpt(16, 4096, 32), 16, 2, 16384))},
        {"Gpt-8x6.7b",
         "GPT 8x6.7B of MicroMoE.",
         microMoe,
         smallLoss,
         AddLoss(AddExperts(MakeGpt(32, 4096, 32), 8, 2, 16384))},
        {"Mixtral-16x2b",
         "Mixtral 16x2B of MicroMoE.",
         microMoe,
         smallLoss,
         AddLoss(AddExperts(MakePlain(32, 2048, 32, 32, 32000), 16, 2, 8192))},
    };
}

} // namespace

const std::vector<PublishedModel>&
GetPublishedModels()
{
    static const std::vector<PublishedModel> models = MakeModels();
    return models;
}

} // namespace ns3::rails
