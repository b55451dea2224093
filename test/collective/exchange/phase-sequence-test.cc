// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"
#include "exchange-fixtures.h"

#include "ns3/phase-sequence.h"

#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Log = std::vector<std::string>;

const ClusterShape kShape{2, 1};

class PhaseSequenceTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        sequence.reset();
        Simulator::Destroy();
    }

    /// Phases by name; traffic of phases whose numbers are in `empty` has nothing to move, any
    /// other takes 40 ps.
    void Make(const std::vector<Phase>& list, const std::vector<size_t>& empty = {})
    {
        const auto traffic = std::make_shared<const TrafficMatrix>(kShape);
        for (const Phase& phase : list)
        {
            phases.push_back({phase, 0, phase.IsTraffic() ? traffic : nullptr});
        }
        sequence = std::make_unique<PhaseSequence>(
            phases,
            service,
            PhaseSequence::Callbacks{[this, empty](const ScheduledPhase& scheduled, size_t number) {
                                         EXPECT_EQ(&scheduled, &phases[number]);
                                         if (std::count(empty.begin(), empty.end(), number) > 0)
                                         {
                                             Note("nothing in " + std::to_string(number));
                                             return false;
                                         }
                                         Note("traffic of " + std::to_string(number));
                                         sequence->TellFirstPost();
                                         Simulator::Schedule(TimeStep(40), [this] {
                                             sequence->EndPhase();
                                             Note("all delivered");
                                         });
                                         return true;
                                     },
                                     [this] { Note("over"); }});
    }

    void Note(const std::string& text)
    {
        log.push_back(std::to_string(NowPs()) + " " + text);
    }

    Ptr<StillService> service{CreateObject<StillService>(kShape)};
    std::vector<ScheduledPhase> phases;
    std::unique_ptr<PhaseSequence> sequence;
    Log log;
};

TEST_F(PhaseSequenceTest, OnePhaseStartsWhenTheOneBeforeEnds)
{
    Make({{PhaseKind::Dispatch, 0}, {PhaseKind::Compute, 7}, {PhaseKind::Combine, 0}});
    sequence->SetPhaseCallback([this](bool starts) { Note(starts ? "first post" : "end"); });
    sequence->Start();
    EXPECT_FALSE(sequence->IsOver());
    std::vector<bool> waiting;
    for (const TimePs at : {39, 41, 48})
    {
        Simulator::Schedule(TimeStep(at), [&] { waiting.push_back(sequence->IsWaiting()); });
    }
    Simulator::Run();
    EXPECT_EQ(log,
              (Log{"0 traffic of 0",
                   "0 first post",
                   "40 all delivered",
                   "40 end",
                   "47 traffic of 2",
                   "47 first post",
                   "87 all delivered",
                   "87 end",
                   "87 over"}));
    EXPECT_EQ(waiting, (std::vector<bool>{false, true, false}));
    EXPECT_TRUE(sequence->IsOver());
    EXPECT_FALSE(sequence->IsWaiting());
    ASSERT_EQ(sequence->GetRecords().size(), 3U);
    EXPECT_EQ(sequence->GetRecords()[1].name, "compute");
    EXPECT_EQ(sequence->GetRecords()[1].start, 40);
    EXPECT_EQ(sequence->GetRecords()[1].end, 47);
    EXPECT_EQ(sequence->GetRecords()[2].end, 87);
}

TEST_F(PhaseSequenceTest, ServersCatchUpBeforeTrafficStartsAndBeforeItsEndIsTold)
{
    Make({{PhaseKind::Dispatch, 0}, {PhaseKind::Gap, 7}});
    std::vector<int> catchUps;
    sequence->SetPhaseCallback([&](bool) { catchUps.push_back(service->catchUps); });
    sequence->Start();
    Simulator::Run();
    EXPECT_EQ(catchUps, (std::vector<int>{1, 2}));
    EXPECT_EQ(service->catchUps, 2);
}

TEST_F(PhaseSequenceTest, PassesOverTrafficWithNothingToMove)
{
    Make({{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}, {PhaseKind::Gap, 7}}, {0, 1});
    sequence->Start();
    Simulator::Run();
    EXPECT_EQ(log, (Log{"0 nothing in 0", "0 nothing in 1", "7 over"}));
    EXPECT_EQ(sequence->GetRecords()[0].end, 0);
    EXPECT_EQ(sequence->GetRecords()[1].start, 0);
}

TEST_F(PhaseSequenceTest, NothingFollowsWhenItIsGone)
{
    Make({{PhaseKind::Compute, 7}});
    sequence->Start();
    sequence.reset();
    Simulator::Run();
    EXPECT_TRUE(log.empty());
}

} // namespace
