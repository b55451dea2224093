// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/cluster-topology.h"
#include "ns3/data-rate.h"
#include "ns3/rho-max.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

constexpr uint64_t kLine = 100'000'000'000;

/// A fat-tree with k = 4: 4 pods of 2 edge and 2 aggregation switches, 16 hosts.
class RhoMaxTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        Build(Make<Topology>("FatTreeTopology",
                             "K",
                             UintegerValue(4),
                             "NicRate",
                             DataRateValue(DataRate(kLine))));
    }

    void Build(Ptr<Topology> topology)
    {
        m_shape = topology->GetShape();
        m_wiring = topology->Lay();
        m_router = std::make_unique<Router>(*m_wiring);
    }

    uint32_t FindCable(const std::string& lower, const std::string& upper) const
    {
        const uint32_t nic = m_wiring->FindNic(lower);
        return nic < m_shape.GetGpus()
                   ? nic
                   : m_wiring->FindCables(m_wiring->FindSwitch(lower), m_wiring->FindSwitch(upper))
                         .at(0);
    }

    void Cut(const std::string& lower, const std::string& upper)
    {
        m_wiring->SetUp(FindCable(lower, upper), false, {});
        m_router->Converge();
    }

    /// Host i sends to host i + shift.
    double OfShift(uint32_t shift) const
    {
        TrafficMatrix matrix(m_shape);
        for (uint32_t gpu = 0; gpu < m_shape.GetGpus(); ++gpu)
        {
            matrix.Add(gpu, (gpu + shift) % m_shape.GetGpus(), 1'000);
        }
        return ComputeRhoMax(matrix, *m_router);
    }

    double OfAllToAll() const
    {
        return ComputeRhoMax(Generate(Make<MatrixSource>("UniformMatrixSource"), m_shape),
                             *m_router);
    }

    ClusterShape m_shape;
    std::shared_ptr<Wiring> m_wiring;
    std::unique_ptr<Router> m_router;
};

TEST_F(RhoMaxTest, IsOneWithoutFailures)
{
    EXPECT_EQ(OfShift(1), 1);
    EXPECT_EQ(OfShift(4), 1);
    EXPECT_EQ(OfShift(7), 1);
    EXPECT_EQ(OfAllToAll(), 1);
}

TEST_F(RhoMaxTest, SpreadsOverThePathsThatOneCoreLinkLeaves)
{
    Cut("pod0-agg0", "core0");
    // Between pod 0 and others three of four paths are left, two of them by aggregation switch 1:
    // the two hosts of an edge switch put 2 * 2/3 on their link to it, four hosts 4 * 1/3 on each
    // of its links to cores. All of it is 4/3 of a link.
    EXPECT_DOUBLE_EQ(OfShift(4), 0.75);
    // Inside pods nothing changes: shift 2 is to the other edge switch for half of the hosts, and
    // to the next pod for the others. One edge switch of pod 0 sends, one receives.
    EXPECT_DOUBLE_EQ(OfShift(2), 0.75);
    // All-to-all: each of two hosts has 12 flows to other pods, 2/3 of them by aggregation switch
    // 1, and 2 to the other edge switch, half of them there: 2 * (8 + 1) / 15.
    EXPECT_DOUBLE_EQ(OfAllToAll(), 15.0 / 18);
}

TEST_F(RhoMaxTest, CountsASlowLinkWithItsRate)
{
    // Half of the rate on one edge uplink, which carries as much as a host sends.
    m_wiring->SetRate(FindCable("pod0-edge0", "pod0-agg0"), kLine / 2);
    m_router->Converge();
    EXPECT_DOUBLE_EQ(OfShift(4), 0.5);
}

TEST_F(RhoMaxTest, CountsTheLinkToAReceiver)
{
    TrafficMatrix matrix(m_shape);
    for (uint32_t gpu = 1; gpu <= 8; ++gpu)
    {
        matrix.Add(gpu, 0, 1'000);
    }
    EXPECT_DOUBLE_EQ(ComputeRhoMax(matrix, *m_router), 1.0 / 8);
}

TEST_F(RhoMaxTest, LeavesOutWhatCannotBeReached)
{
    // Nothing gets to host 0, so whoever sends to it does not load anything.
    Cut("server0-nic0", "pod0-edge0");
    TrafficMatrix incast(m_shape);
    for (uint32_t gpu = 1; gpu <= 8; ++gpu)
    {
        incast.Add(gpu, 0, 1'000);
    }
    EXPECT_EQ(ComputeRhoMax(incast, *m_router), 1);
    EXPECT_EQ(ComputeRhoMax(TrafficMatrix(m_shape), *m_router), 1);
}

TEST_F(RhoMaxTest, KnowsRails)
{
    // Two rails of four servers on leaves of two ports and one spine each: 2 hosts share an uplink.
    Build(Make<Topology>("RailTopology",
                         "Domains",
                         UintegerValue(4),
                         "GpusPerDomain",
                         UintegerValue(2),
                         "LeafPorts",
                         UintegerValue(2),
                         "RailSpines",
                         UintegerValue(1)));
    EXPECT_DOUBLE_EQ(OfShift(4), 0.5);
    EXPECT_EQ(OfShift(1), 1) << "inside the server, or on a rail that nothing leads to";
}

} // namespace
