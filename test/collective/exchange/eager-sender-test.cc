// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-fixtures.h"

#include "ns3/eager-sender.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

TEST(EagerSender, PostsAtOnceOnThePlannedRails)
{
    const ClusterShape shape{2, 2};
    const Ptr<StillService> service = CreateObject<StillService>(shape);
    ExchangeMessages messages(shape, service);
    EagerSender sender(messages);
    ServerPlan plan = MakePlan({shape, 0, {{0, 2, 300}, {0, 3, 200}, {1, 2, 100}}}, 1);
    messages.AddPlanned(plan, 0);
    sender.StartPhase();
    sender.OnPlanned(std::move(plan), 0);
    EXPECT_TRUE(sender.HasRails(messages.Get(2))) << "before it is posted, too";
    for (uint32_t id = 0; id < 3; ++id)
    {
        sender.Send(messages.Get(id));
    }
    EXPECT_EQ(service->order, (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(messages.Get(2).txRail, 1);

    // Nothing waits, so nothing is posted later.
    sender.OnSent(messages.Get(0));
    sender.OnAbandoning(messages.Get(1));
    sender.OnConverged();
    sender.SendWaiting();
    EXPECT_EQ(service->order.size(), 3U);
    EXPECT_FALSE(messages.Get(0).isSent) << "a note of those who choose";
}

} // namespace
