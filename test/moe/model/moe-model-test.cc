// SPDX-License-Identifier: GPL-2.0-only
#include "../training-fixtures.h"

#include "ns3/published-models.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

TEST(MoeModelTest, ParametersAreThoseThatModelsAreKnownBy)
{
    struct Known
    {
        std::string name;
        double all;    //!< in billions
        double active; //!< in billions, the embedding included; 0: it is not published
    };

    // Published on the models' pages, rounded there.
    for (const Known& known : std::vector<Known>{{"Mixtral-8x7b", 46.7, 12.9},
                                                 {"Mixtral-8x22b", 140.6, 39.1},
                                                 {"Qwen1.5-moe-a2.7b", 14.3, 2.7},
                                                 {"Qwen3-235b", 235, 22},
                                                 {"Qwen3-30b", 30.5, 3.3},
                                                 {"Qwen2-57b", 57.4, 14.2},
                                                 {"Gpt-oss-120b", 116.8, 5.7},
                                                 {"Mixtral-8x22b-g8t8", 140.6, 0},
                                                 {"Kimi-k2", 1026, 33},
                                                 {"Llama-moe-6.7b", 6.7, 3.5},
                                                 {"Deepseek-v3", 671, 37},
                                                 {"Kimi-k3", 2800, 0},
                                                 {"Gpt-8x6.7b", 0, 0}})
    {
        const Ptr<MoeModel> model = test::MakeModel(known.name);
        model->Check();
        const ModelDimensions& is = model->GetDimensions();
        const double embedding = double{1} * is.vocabulary * is.hidden;
        if (known.all > 0)
        {
            // Kimi K3 is known in trillions of two digits, and its attention is not.
            EXPECT_NEAR(is.GetParameters() / 1e9, known.all, 0.025 * known.all) << known.name;
        }
        if (known.active > 0)
        {
            EXPECT_NEAR((is.GetActiveParameters() + embedding) / 1e9,
                        known.active,
                        0.05 * known.active)
                << known.name;
        }
    }
}

TEST(MoeModelTest, EveryPublishedModelIsATypeThatPassesItsCheck)
{
    EXPECT_EQ(GetPublishedModels().size(), 21U);
    for (const PublishedModel& model : GetPublishedModels())
    {
        const Ptr<MoeModel> made = test::MakeModel(model.name);
        EXPECT_NO_THROW(made->Check()) << model.name;
        EXPECT_EQ(made->GetDimensions().hidden, model.dimensions.hidden);
        EXPECT_EQ(made->GetInstanceTypeId().GetName(), "ns3::rails::" + model.name + "MoeModel");
    }
}

TEST(MoeModelTest, BalancingIsThatOfTheModelsOwnTraining)
{
    for (const PublishedModel& model : GetPublishedModels())
    {
        const bool hasBiases = model.name == "Deepseek-v3" || model.name.find("Kimi-") == 0;
        const bool isAlone = model.name.find("Pro-prophet") == 0;
        const Ptr<MoeModel> made = test::MakeModel(model.name);
        EXPECT_EQ(made->GetDimensions().balancing,
                  hasBiases ? ModelDimensions::BALANCING_BIASES
                  : isAlone ? ModelDimensions::NO_BALANCING
                            : ModelDimensions::BALANCING_LOSS)
            << model.name;
        EXPECT_FALSE(model.balancingSource.empty()) << model.name;
        made->SetAttribute("Balancing", StringValue("no-aux"));
        EXPECT_EQ(made->GetDimensions().balancing, ModelDimensions::NO_BALANCING) << model.name;
    }
}

TEST(MoeModelTest, DimensionsThatContradictEachOtherAreRefused)
{
    const auto expectRefused =
        [](const std::string& attribute, uint32_t value, const std::string& key) {
            const Ptr<MoeModel> model = test::MakeModel("Mixtral-8x7b");
            model->SetAttribute(attribute, UintegerValue(value));
            try
            {
                model->Check();
                FAIL() << attribute;
            }
            catch (const ConfigurationError& error)
            {
                EXPECT_EQ(error.GetKey(), key);
            }
        };
    expectRefused("TopK", 9, "top_k");
    expectRefused("KvHeads", 5, "kv_heads");
    expectRefused("DenseLayers", 33, "dense_layers");
    expectRefused("DenseLayers", 1, "ffn");
    expectRefused("QueryRank", 512, "query_rank");
    expectRefused("ExpertGroups", 3, "expert_groups");
    expectRefused("TopGroups", 2, "top_groups");
    expectRefused("ExpertGroups", 8, "top_groups"); // of one expert each, and a token goes to two
}

} // namespace ns3::rails
