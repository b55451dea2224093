// SPDX-License-Identifier: GPL-2.0-only

// What a training with a policy of experts refuses, with which key and why.

#include "../../collective/collective-fixtures.h"
#include "../../placement/policy/policy-fixtures.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/rails-workload.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

const std::string kName = "ns3::rails::";

/// Two servers of four GPUs.
const ClusterShape kTwoServers{2, 4};

/// Two layers of Mixtral and one micro-batch of 128 tokens on each of some GPUs.
class Training
{
  public:
    /// \param experts a policy and its keys: "Eplb", "PlainEp[Padding=max]"
    explicit Training(const std::string& experts, ClusterShape shape = kTwoServers)
        : m_shape(shape),
          m_workload(Make<Workload>("TrainingWorkload"))
    {
        const auto bracket = experts.find('[');
        const std::string keys = bracket == std::string::npos ? "" : experts.substr(bracket);
        Set("Experts", kName + experts.substr(0, bracket) + "ExpertPolicy" + keys);
        Set("Batch",
            kName + "TrainingBatch[Sequence=128|Global=" + std::to_string(shape.GetGpus()) + "]");
        Set("Model", kName + "Mixtral-8x7bMoeModel[Layers=2]");
    }

    Training& Set(const std::string& key, const std::string& value)
    {
        m_workload->SetAttribute(key, StringValue(value));
        return *this;
    }

    /// \param keys of the layout: "Ep=4|Order=tp-cp-dp-ep-pp"
    Training& Divide(const std::string& keys)
    {
        return Set("Parallel", kName + "ParallelLayout[" + keys + "]");
    }

    Training& SetMemory(uint64_t bytes)
    {
        m_workload->SetAttribute("Memory", ByteSizeValue(ByteSize(bytes)));
        return *this;
    }

    // Both draw the same every time.

    void Check() const
    {
        Seed();
        m_workload->Check(MakeSetting());
    }

    /// Plans, and lays out all of it.
    void Lay()
    {
        Seed();
        m_program = m_workload->MakeProgram(MakeSetting());
        m_program->GetTotal();
    }

    /// \return a figure of what has been laid out
    double GetFigure(const std::string& name) const
    {
        for (const auto& [key, value] : m_program->GetFigures(1, nullptr))
        {
            if (key == name)
            {
                return value;
            }
        }
        ADD_FAILURE() << "no " << name;
        return 0;
    }

    void ExpectRefusal(const std::string& key, const std::string& text) const
    {
        ExpectConfigurationError([this] { Check(); }, key, text);
    }

    void ExpectNoRefusal() const
    {
        try
        {
            Check();
        }
        catch (const ConfigurationError& error)
        {
            ADD_FAILURE() << error.GetKey() << ": " << error.what();
        }
    }

  private:
    void Seed() const
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        m_workload->AssignStreams(1);
    }

    WorkloadSetting MakeSetting() const
    {
        WorkloadSetting setting(m_shape);
        setting.rates = {400'000'000'000, 100'000'000'000};
        return setting;
    }

    ClusterShape m_shape;
    Ptr<Workload> m_workload;
    std::shared_ptr<const GraphProgram> m_program;
};

TEST(TrainingWorkload, APolicyRefusesExpertsThatShareAGpu)
{
    // A capacity is a policy, though it plans nothing.
    for (const std::string experts :
         {"Eplb", "Llep", "MicroMoe[Slots=1]", "PlainEp[CapacityFactor=1]"})
    {
        SCOPED_TRACE(experts);
        Training training(experts);
        training.Divide("Ep=2|Etp=2").ExpectRefusal("parallel.etp", "on one GPU each");
        training.Divide("Ep=2|Etp=1").ExpectNoRefusal();
    }
    Training("PlainEp").Divide("Ep=2|Etp=2").ExpectNoRefusal();
}

TEST(TrainingWorkload, MergedGroupsDivideThoseOfAStage)
{
    Training training("MicroMoe");
    const auto expectRefusal = [&](const std::string& merged, const std::string& groups) {
        training.Set("MergedGroups", merged)
            .ExpectRefusal("merged_groups",
                           "a stage has " + groups +
                               " groups of expert parallelism side by side (edp)");
    };
    training.Divide("Ep=2");
    expectRefusal("3", "4");
    expectRefusal("8", "4");
    training.Set("MergedGroups", "2").ExpectNoRefusal();
    training.Set("MergedGroups", "4").ExpectNoRefusal();
    // Groups of another stage do not count.
    training.Divide("Ep=2|Pp=2");
    expectRefusal("4", "2");
    training.Set("MergedGroups", "2").ExpectNoRefusal();
}

TEST(TrainingWorkload, PlainEpMergesNoGroups)
{
    Training training("PlainEp");
    training.Divide("Ep=2");
    for (const std::string merged : {"2", "3"})
    {
        training.Set("MergedGroups", merged)
            .ExpectRefusal("merged_groups", "plain-ep plans nothing");
    }
    training.Set("MergedGroups", "1").ExpectNoRefusal();
}

TEST(TrainingWorkload, APolicyNeedsTwoGpusToPlanFor)
{
    Training training("MicroMoe");
    training.Divide("Ep=1").ExpectRefusal("parallel.ep", "every GPU has all experts");
    training.Set("MergedGroups", "2").ExpectNoRefusal();
    Training("PlainEp").Divide("Ep=1").ExpectNoRefusal();
}

TEST(TrainingWorkload, RowsWithoutATokenAreNotDeduplicated)
{
    for (const std::string experts : {"DeepspeedMoe",
                                      "DeepspeedMoe[CapacityFactor=1]",
                                      "PlainEp[Padding=max]",
                                      "PlainEp[Padding=capacity|CapacityFactor=1]"})
    {
        SCOPED_TRACE(experts);
        Training training(experts);
        training.Divide("Ep=8").Set("Exchange", kName + "DeduplicatedExchangeScheme");
        training.ExpectRefusal("exchange", "rows without a token cannot be de-duplicated");
        training.Set("Exchange", kName + "PairsExchangeScheme").ExpectNoRefusal();
    }
    for (const std::string experts : {"PlainEp", "PlainEp[CapacityFactor=1]", "Llep"})
    {
        SCOPED_TRACE(experts);
        Training(experts)
            .Divide("Ep=8")
            .Set("Exchange", kName + "DeduplicatedExchangeScheme")
            .ExpectNoRefusal();
    }
}

TEST(TrainingWorkload, OnlyCopiesThatAreForecastAreScheduled)
{
    // What these need to work at all.
    const std::map<std::string, std::string> keys{{"Lplb", "[Topology=ring|RingGpus=4]"},
                                                  {"MicroMoe", "[Slots=1]"}};
    for (const std::string& type : FindPolicies())
    {
        SCOPED_TRACE(type);
        const auto found = keys.find(type);
        Training training(type + (found == keys.end() ? "" : found->second));
        training.Divide("Ep=4").ExpectNoRefusal();
        training.Set("ExpertTransfers", "blocking").ExpectNoRefusal();
        training.Set("ExpertTransfers", "overlapped").ExpectNoRefusal();
        training.Set("ExpertTransfers", "scheduled");
        if (type == "ProProphet" || type == "PlainEp") // which has no copies
        {
            training.ExpectNoRefusal();
        }
        else
        {
            training.ExpectRefusal("expert_transfers", "those of pro-prophet");
        }
    }
}

TEST(TrainingWorkload, GroupsHaveAsManyGpusSideBySideInEachServer)
{
    const std::string evenly = "as many GPUs in each of their servers";
    const auto expectRefusal = [&](const ClusterShape& shape, const std::string& keys) {
        SCOPED_TRACE(keys);
        Training("Llep", shape).Divide(keys).ExpectRefusal("parallel.order", evenly);
        Training("PlainEp", shape).Divide(keys).ExpectNoRefusal();
    };
    expectRefusal({4, 3}, "Ep=4"); // {0 1 2 | 3}
    expectRefusal({2, 6}, "Ep=4"); // {0 1 2 3}, then {4 5 | 6 7}
    expectRefusal({2, 3}, "Ep=2"); // {0 1}, then {2 | 3}
    // {0 2 | 4 6} and {1 3 | 5 7} are even, one behind the other they are not.
    Training apart("MicroMoe[Slots=1]");
    apart.Divide("Ep=4|Order=tp-cp-dp-ep-pp").ExpectNoRefusal();
    apart.Set("MergedGroups", "2").ExpectRefusal("parallel.order", evenly);
    apart.Divide("Ep=4").ExpectNoRefusal();
}

TEST(TrainingWorkload, WhatAPolicyRefusesIsAKeyOfExperts)
{
    Training("MoonEp").Divide("Ep=8").ExpectRefusal("experts.across_servers", "");
    Training("MicroMoe").Divide("Ep=4").ExpectRefusal("experts.slots", "");
    Training("PlainEp[Padding=capacity]")
        .Divide("Ep=4")
        .ExpectRefusal("experts.padding", "no capacity to pad to");
}

// Parameters of a GPU: 2 x (4096 (2 x 4096 + 2 x 1024) + 4096 x 8) of attention and gates,
// 2 x 32000 x 4096 of embedding and head, in all 346095616; and 2 x 2 experts of 3 x 4096 x 14336,
// in all 704643072. Of these 2 B and 4 B, and 12 B divided by 8 and by 2. Elements of a token in a
// layer: 2 x 4096, 2 x 4096 + 2 x 1024, and 2 x (4096 + 3 x 14336); and 4 B for each logit.
constexpr uint64_t kNeeded = 6 * (346'095'616ULL + 704'643'072) +
                             12 * (346'095'616ULL / 8 + 704'643'072 / 2) +
                             2 * 2 * 128 * (8192ULL + 10'240 + 2 * 47'104) + 4 * 128 * 32'000;

TEST(TrainingWorkload, MemoryThatIsTooSmallIsRefusedWithWhatItIsFor)
{
    for (const std::string experts : {"PlainEp", "Llep"})
    {
        SCOPED_TRACE(experts);
        Training training(experts);
        training.Divide("Ep=4").Lay();
        // Tokens are not spread evenly.
        const auto needed = static_cast<uint64_t>(std::ceil(training.GetFigure("memory_bytes")));
        EXPECT_GT(needed, kNeeded);
        training.SetMemory(needed).ExpectNoRefusal();
        training.SetMemory(needed - 1).ExpectRefusal("memory", "which is 1 B more: weights");
        // Far less gets the same sizes: who sets what is said has enough.
        const std::string said =
            "a GPU needs " + FormatRoundBytes(static_cast<double>(needed)) + ", which is " +
            FormatRoundBytes(static_cast<double>(needed - kNeeded / 2)) + " more: weights";
        training.SetMemory(kNeeded / 2).ExpectRefusal("memory", said);
    }
}

TEST(TrainingWorkload, CopiesThatDoNotFitAreRefusedBeforeARunToo)
{
    Training training("Llep[MinTokens=1]");
    training.Divide("Ep=4").Lay();
    const auto needed = static_cast<uint64_t>(std::ceil(training.GetFigure("memory_bytes")));
    const auto copies = static_cast<uint64_t>(training.GetFigure("copies_memory_bytes"));
    // An expert of 176160768 parameters, with 2 B and 4 B of each.
    constexpr uint64_t each = 6 * 176'160'768ULL;
    ASSERT_GE(copies, each);
    EXPECT_EQ(copies % each, 0U);
    EXPECT_GE(needed, kNeeded + copies);
    training.SetMemory(needed).ExpectNoRefusal();
    EXPECT_NO_THROW(training.Lay());
    const std::string said =
        "which is 1 B more: weights 2.11 GB, gradients 4.21 GB, optimizer 4.75 GB, activations "
        "62.4 MB, logits 16.4 MB, copies of experts " +
        FormatRoundBytes(static_cast<double>(copies));
    training.SetMemory(needed - 1).ExpectRefusal("memory", said);
    ExpectConfigurationError([&] { training.Lay(); }, "memory", said);
}

TEST(TrainingWorkload, PlanningThatOutlastsTheClockIsRefused)
{
    // Of 46 days, for two layers one after the other.
    Training training("Llep[PlanningTime=1900000s]");
    training.Divide("Ep=4");
    EXPECT_NO_THROW(training.Lay());
    training.Set("Iterations", "2").ExpectNoRefusal();
    ExpectConfigurationError([&] { training.Lay(); }, "experts.planning_time", "46 days");
}

} // namespace

} // namespace ns3::rails::test
