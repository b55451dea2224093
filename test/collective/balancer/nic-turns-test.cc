// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/balancer.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

namespace
{

using Gpus = std::vector<uint32_t>;

/// What goes between GPUs is this many bytes.
constexpr uint64_t kPairBytes = 12;

/// Messages by NIC and direction, beside those of the GPUs that the NIC is near.
struct NicLoads
{
    std::vector<uint32_t> sent;
    std::vector<uint32_t> received;
};

uint32_t
DivideUp(uint32_t messages, std::size_t nics)
{
    return (messages + static_cast<uint32_t>(nics) - 1) / static_cast<uint32_t>(nics);
}

/// Holds each NIC of a GPU against the messages of all of these together.
void
CheckShares(const ClusterShape& shape, const std::vector<uint32_t>& loads, const std::string& what)
{
    const ServerLayout layout(shape.gpusPerServer, shape.nicsPerServer);
    for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
    {
        const uint32_t first = shape.GetServer(gpu) * shape.nicsPerServer;
        const std::vector<uint16_t>& near = layout.GetNearNics(shape.GetLocal(gpu));
        uint32_t all = 0;
        uint32_t most = 0;
        for (const uint16_t nic : near)
        {
            all += loads[first + nic];
            most = std::max(most, loads[first + nic]);
        }
        EXPECT_LE(most, DivideUp(all, near.size())) << what << " at GPU " << gpu;
    }
}

/// Adds what a balancer makes of a uniform all-to-all of a group.
void
AddGroup(const ClusterShape& shape,
         const Gpus& group,
         const char* name,
         uint64_t chunk,
         uint32_t lanes,
         NicLoads& loads)
{
    Ptr<Balancer> balancer = Make<Balancer>(name);
    balancer->SetAttribute("Chunk", ByteSizeValue(ByteSize(chunk)));
    balancer->SetAttributeFailSafe("Arrival", StringValue("near"));
    TrafficMatrix matrix(shape);
    for (const uint32_t source : group)
    {
        for (const uint32_t destination : group)
        {
            matrix.Add(source, destination, kPairBytes);
        }
    }
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        ServerView view = MakeServerView(matrix, server);
        for (view.lane = 0; view.lane < lanes; ++view.lane)
        {
            for (const Piece& piece : balancer->MakePieces(view, nullptr))
            {
                const uint32_t to = shape.GetServer(view.demands[piece.demand].destination);
                ++loads.sent[shape.GetNic(server, piece.txRail)];
                ++loads.received[shape.GetNic(to, piece.rxRail)];
            }
        }
    }
}

/// Groups of a uniform all-to-all: all GPUs; every other server; GPUs of one parity, as tensor
/// parallelism leaves them; the GPUs in one place of each server.
std::vector<std::vector<Gpus>>
MakeGroupings(const ClusterShape& shape)
{
    std::vector<std::vector<Gpus>> groupings{std::vector<Gpus>(1),
                                             std::vector<Gpus>(2),
                                             std::vector<Gpus>(2),
                                             std::vector<Gpus>(shape.gpusPerServer)};
    for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
    {
        groupings[0][0].push_back(gpu);
        groupings[1][shape.GetServer(gpu) % 2].push_back(gpu);
        groupings[2][shape.GetLocal(gpu) % 2].push_back(gpu);
        groupings[3][shape.GetLocal(gpu)].push_back(gpu);
    }
    return groupings;
}

class NearNics : public testing::TestWithParam<const char*>
{
};

TEST_P(NearNics, CarryEquallyManyMessagesOfTheirGpuInAUniformAllToAll)
{
    for (uint32_t servers = 2; servers <= 7; ++servers)
    {
        for (const auto& [gpus, nics] : std::vector<std::pair<uint32_t, uint32_t>>{{1, 2},
                                                                                   {1, 3},
                                                                                   {2, 4},
                                                                                   {2, 3},
                                                                                   {3, 6},
                                                                                   {4, 12},
                                                                                   {4, 2},
                                                                                   {4, 6}})
        {
            const ClusterShape shape(servers, gpus, nics);
            for (const std::vector<Gpus>& grouping : MakeGroupings(shape))
            {
                for (const Gpus& group : grouping)
                {
                    for (const auto& [chunk, lanes] :
                         std::array<std::pair<uint64_t, uint32_t>, 3>{{{12, 1}, {4, 1}, {12, 5}}})
                    {
                        NicLoads loads{std::vector<uint32_t>(shape.GetNics()),
                                       std::vector<uint32_t>(shape.GetNics())};
                        AddGroup(shape, group, GetParam(), chunk, lanes, loads);
                        std::ostringstream what;
                        what << servers << " servers of " << gpus << " GPUs and " << nics
                             << " NICs, a group of " << group.size() << ", chunks of " << chunk
                             << ", " << lanes << " lanes";
                        CheckShares(shape, loads.sent, what.str() + ": sent");
                        CheckShares(shape, loads.received, what.str() + ": received");
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(,
                         NearNics,
                         testing::Values("RailSourceBalancer",
                                         "RailDestinationBalancer",
                                         "EcmpBalancer",
                                         "AffineBalancer"));

} // namespace
