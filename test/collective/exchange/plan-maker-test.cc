// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/plan-maker.h"

#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kPlanMakerShape{2, 2};

/// Answers with pieces that a test has given, and keeps what it was shown.
class GivenBalancer : public RowBalancer
{
  public:
    explicit GivenBalancer(std::vector<Piece> pieces)
        : m_pieces(std::move(pieces))
    {
    }

    std::vector<Piece> Plan(const ServerView& view) override
    {
        shown = view;
        return m_pieces;
    }

    ServerView shown;

  private:
    std::vector<Piece> m_pieces;
};

TEST(PlanMaker, RefusesPlansThatDoNotCoverTheRow)
{
    const ReachabilityView failures(kPlanMakerShape, false);
    const auto expect = [&](const std::vector<Piece>& pieces, const std::string& text) {
        PlanMaker maker(CreateObject<GivenBalancer>(pieces), failures);
        try
        {
            maker.MakePlan({kPlanMakerShape, 1, {{2, 0, 300}}});
            ADD_FAILURE() << "nothing was thrown; expected: " << text;
        }
        catch (const std::logic_error& error)
        {
            EXPECT_NE(std::string(error.what()).find("server 1 " + text), std::string::npos)
                << error.what();
        }
    };
    expect({{0, 299, 0, 0}}, "leaves out some bytes");
    expect({{0, 200, 0, 0}, {0, 101, 1, 1}}, "sends some bytes twice");
    expect({{0, 300, 0, 0}, {0, 0, 1, 1}}, "has an empty piece");
    expect({{0, 300, 2, 0}}, "uses a rail that does not exist");
    expect({{0, 300, 0, 2}}, "uses a rail that does not exist");
    expect({{1, 300, 0, 0}}, "has a piece of nothing");
}

TEST(PlanMaker, SplitsPiecesOverSubflowsAsEvenlyAsBytesAllow)
{
    const ReachabilityView failures(kPlanMakerShape, false);
    PlanMaker maker(CreateObject<GivenBalancer>(std::vector<Piece>{{0, 10, 1, 1}, {1, 2, 0, 0}}),
                    failures);
    maker.SetSubflows(4);
    const ServerPlan plan = maker.MakePlan({kPlanMakerShape, 0, {{0, 2, 10}, {1, 3, 2}}});
    std::vector<uint64_t> bytes;
    std::vector<uint16_t> subflows;
    for (const Piece& piece : plan.pieces)
    {
        bytes.push_back(piece.bytes);
        subflows.push_back(piece.subflow);
        EXPECT_EQ(piece.txRail, piece.demand == 0 ? 1 : 0);
    }
    EXPECT_EQ(bytes, (std::vector<uint64_t>{3, 3, 2, 2, 1, 1}));
    EXPECT_EQ(subflows, (std::vector<uint16_t>{0, 1, 2, 3, 0, 1})) << "no empty messages";
}

TEST(PlanMaker, ShowsTheBalancerWhatHasFailed)
{
    CutCluster cluster(kPlanMakerShape);
    ReachabilityView failures(kPlanMakerShape, false);
    failures.SetRouter(cluster.router);
    const Ptr<GivenBalancer> balancer =
        CreateObject<GivenBalancer>(std::vector<Piece>{{0, 300, 1, 1}});
    PlanMaker maker(balancer, failures);
    cluster.SetUp({2}, false);
    const ServerPlan plan = maker.MakePlan({kPlanMakerShape, 0, {{0, 2, 300}}});
    EXPECT_EQ(balancer->shown.GetRails(1), (std::vector<uint16_t>{1}));
    EXPECT_EQ(plan.view.GetRails(1), (std::vector<uint16_t>{1}));
    EXPECT_EQ(plan.pieces.size(), 1U);
}

} // namespace
