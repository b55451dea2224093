// SPDX-License-Identifier: GPL-2.0-only

// Random trainings, in which every kind of transfer moves something.

#include "../expert-fixtures.h"
#include "../training-fixtures.h"

#include "ns3/circuit-move.h"
#include "ns3/collective.h"
#include "ns3/copy-transfer.h"
#include "ns3/expert-move.h"
#include "ns3/load-exchange.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/replica-sync.h"
#include "ns3/server-exchange.h"
#include "ns3/stage-send.h"
#include "ns3/tensor-exchange.h"
#include "ns3/token-exchange.h"
#include "ns3/training-program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return the class of a transfer, as its name in the object file
template <typename T>
std::string
GetName()
{
    return typeid(T).name();
}

/// Draws trainings of 16 GPUs.
class TrainingDraw
{
  public:
    explicit TrainingDraw(uint32_t seed)
        : m_random(seed)
    {
    }

    TrainingSpec Draw()
    {
        const uint32_t stages = Pick({1, 2});
        const uint32_t etp = Pick({1, 2});
        const uint32_t ep = etp == 1 ? Pick({2, 4, 8}) : Pick({2, 4});
        const uint32_t perServer = Pick({1, 2, 4, 8});
        const std::string policy = PickPolicy(ep, etp);
        std::map<std::string, uint32_t> degrees{{"Pp", stages}, {"Ep", ep}, {"Tp", Pick({1, 2})}};
        degrees["Etp"] = policy.empty() ? etp : 1;
        TrainingSpec spec = MakeExpertPlan({16 / perServer, perServer},
                                           MakeTinyModel(2 * stages, 16),
                                           degrees,
                                           policy.empty() ? nullptr : MakeBusyPolicy(policy, ep));
        spec.microbatches = Pick({1, 2, 4});
        spec.iterations = Pick({1, 2});
        spec.deduplicates = Pick({0, 1}) == 1 && spec.etp == 1;
        spec.exchangePiece = Pick({0, 1, 10'000});
        spec.recomputes = Pick({0, 1}) == 1;
        spec.sharesQueues = Pick({0, 1}) == 1;
        if (Pick({0, 1}) == 1 && spec.etp == 1)
        {
            spec.circuits = {16 / perServer, 1000, 500};
            spec.circuits.servers /= stages;
            spec.circuits.servers = std::max(1U, spec.circuits.servers);
        }
        return spec;
    }

  private:
    uint32_t Pick(const std::vector<uint32_t>& choices)
    {
        return choices[m_random() % choices.size()];
    }

    std::string PickPolicy(uint32_t ep, uint32_t etp)
    {
        static const std::vector<std::string> names{"", "Llep", "ProProphet", "UltraEp", "Eplb"};
        return etp > 1 || ep < 4 ? "" : names[m_random() % names.size()];
    }

    std::mt19937 m_random;
};

TEST(TrainingTransfers, WhatIsSentIsWhatIsReceivedAndEachKindMovesSomething)
{
    TrainingDraw draw(7);
    std::map<std::string, uint64_t> bytes; // by class
    uint32_t announced = 0;
    for (uint32_t number = 0; number < 40; ++number)
    {
        SCOPED_TRACE(number);
        const std::unique_ptr<TrainingProgram> program = MakeProgram(draw.Draw());
        uint64_t all = 0;
        for (const auto& [kind, ofKind] : CheckSteps(*program))
        {
            all += ofKind;
        }
        EXPECT_EQ(program->GetTotal().GetTotalBytes(), all);
        ForEachNode(*program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
            for (uint32_t step = 0; step < CountSteps(node); ++step)
            {
                const CommOp& transfer = *node.transfer;
                for (const Demand& demand : transfer.GetSends(gpu, step))
                {
                    bytes[typeid(transfer).name()] += demand.bytes;
                }
            }
            announced += node.barrier && !node.barrier->GetAnnounced(gpu).empty() ? 1 : 0;
        });
    }
    for (const std::string& name : {GetName<Collective>(),
                                    GetName<StageSend>(),
                                    GetName<TokenExchange>(),
                                    GetName<ServerExchange>(),
                                    GetName<TensorExchange>(),
                                    GetName<LoadExchange>(),
                                    GetName<ExpertMove>(),
                                    GetName<CopyTransfer>(),
                                    GetName<ReplicaSync>()})
    {
        EXPECT_GT(bytes[name], 0U) << name;
    }
    EXPECT_EQ(bytes.size(), 9U) << "another kind is to be listed here";
    EXPECT_GT(announced, 0U);
}

} // namespace

} // namespace ns3::rails::test
