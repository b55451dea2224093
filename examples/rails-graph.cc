// SPDX-License-Identifier: GPL-2.0-only

// A graph built in C++: three layers, whose gradients are reduced while the next layer computes.
//
//   ./ns3 run rails-graph
//
// What to see: of three all-reduces only the last one is exposed.

#include "ns3/core-module.h"
#include "ns3/rails-module.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // a byte at 400 Gbps takes 20 ps
    std::string balance = "RailsBalancer";
    std::string control = "DcqcnCongestionControl";
    std::string engine = "FramesEngineChoice";
    CommandLine cmd(__FILE__);
    cmd.AddValue("balance", "Class of a load balancer", balance);
    cmd.AddValue("congestionControl", "Class of a congestion control", control);
    cmd.AddValue("engine", "FramesEngineChoice or FlowEngineChoice", engine);
    cmd.Parse(argc, argv);
    RdmaHostHelper hosts;
    hosts.SetEngine(engine);
    hosts.SetCongestionControl(control);
    const std::shared_ptr<Wiring> cluster = RailTopologyHelper().Lay();
    const ClusterShape& shape = cluster->GetShape();

    const auto groups = std::make_shared<const CollectiveGroups>(shape, ClusterRates());
    const Collective::Task allReduce{CollectiveOperation::AllReduce, 64 << 20};
    const auto ring =
        std::make_shared<const Collective>(groups, allReduce, CollectiveChoice{ALGORITHM_RING, 1});
    std::vector<Stage> stages;
    for (const std::string name : {"3", "2", "1"}) // backwards
    {
        Stage layer;
        layer.name = "layer " + name;
        layer.duration = 4'000'000'000; // ps
        stages.push_back(layer);
        Stage gradients;
        gradients.name = "gradients " + name;
        gradients.type = GraphNode::Type::Transfer;
        gradients.stream = "communication";
        gradients.after = {stages.size() - 1};
        gradients.collective = ring;
        stages.push_back(gradients);
    }

    std::unique_ptr<ClusterRun> run =
        RailsApplicationHelper(balance).Install(hosts,
                                                cluster,
                                                std::make_shared<StageProgram>(shape, stages, 1));
    run->Run();
    for (const KindRecord& kind : run->GetRunner().GetRecord().kinds)
    {
        std::cout << kind.name << ": " << kind.critical * 1e-9 << " ms of the critical path\n";
    }
    run.reset();
    Simulator::Destroy();
}
