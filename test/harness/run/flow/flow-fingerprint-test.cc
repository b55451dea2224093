// SPDX-License-Identifier: GPL-2.0-only

// What comes out of a run of flows depends on its descriptor and seed alone. That other compilers
// and processors find the same is in doc/validation.rst: one build cannot tell.

#include "../run-experiment-fixtures.h"

#include <gtest/gtest.h>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

struct FlowDescriptor
{
    std::string name;
    std::string text;
};

// GoogleTest shows it.
std::ostream&
operator<<(std::ostream& stream, const FlowDescriptor& descriptor)
{
    return stream << descriptor.name;
}

// All that an engine of flows does: paths by hash and in shares, links inside servers, rates that
// change with cables, planners that choose as they send, steps that wait for others.
const std::vector<FlowDescriptor> kFlowDescriptors{
    {"DestinationRotation",
     "topology: {type: fat-tree, k: 4}\n"
     "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 700KB}}\n"
     "balance: {type: rail-source, host: destination-rotation}\n"},
    {"Failures",
     "topology: {type: rail, domains: 4, gpus_per_domain: 2, leaf_ports: 2, rail_spines: 2, "
     "spines: 2}\n"
     "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 3MB}}\n"
     "balance: rails\n"
     "failures: {convergence: 20us, schedule: [{at: 100us, link: [rail1-leaf0, rail1-spine0], "
     "state: down}, {at: 150us, nic: server0-nic1, state: down}, {at: 300us, nic: server0-nic1, "
     "state: up}]}\n"},
    {"FatTree",
     "topology: {type: fat-tree, k: 4}\n"
     "transport: {qp_per: message}\n"
     "workload: {type: permutation, bytes: 5MB}\n"
     "balance: {type: rail-source, host: subflow}\n"},
    {"HashedPaths",
     "topology: {type: rail, domains: 8, gpus_per_domain: 4, leaf_ports: 4, rail_spines: 4, "
     "spines: 4}\n"
     "workload: {type: all-to-all, matrix: {type: sparse, density: 0.4, mean: 3MB, intra: true}}\n"
     "balance: ecmp\n"},
    {"InsideServers",
     "topology: {type: rail, domains: 4, spines: 4, server: h20-4nic}\n"
     "workload: {type: all-to-all, matrix: {type: sparse, density: 0.3, mean: 4MB, intra: true}}\n"
     "balance: {type: affine}\n"},
    {"RailsChosenAtSending",
     "topology: {type: rail, domains: 6, gpus_per_domain: 4}\n"
     "nic: {message_gap: 100ns}\n"
     "workload: {type: all-to-all, matrix: {type: sparse, density: 0.5, mean: 2MB}}\n"
     "balance: {type: least-outstanding, chunk: 256KB}\n"},
    {"Rings",
     "topology: {type: rail, domains: 4, gpus_per_domain: 4, spines: 4}\n"
     "workload: {type: ring, bytes: 3MB}\n"
     "balance: {type: random}\n"},
    {"SprayedPaths",
     "topology: {type: rail, domains: 8, gpus_per_domain: 4, leaf_ports: 4, rail_spines: 3}\n"
     "workload: {type: all-to-all, matrix: {type: zipf, exponent: 1.2, bytes_per_gpu: 20MB}}\n"
     "balance: {type: rails, chunk: 1MB, host: spray}\n"},
    {"TakenTogether",
     "topology: {type: rail, domains: 16, gpus_per_domain: 2, leaf_ports: 4, rail_spines: 4}\n"
     "workload: {type: all-to-all, matrix: {type: zipf, exponent: 1.2, bytes_per_gpu: 20MB}, "
     "groups: {size: 8, layout: strided}}\n"
     "balance: rails\n"
     "engine: {type: flow, tolerance: 0.005}\n"},
    {"WeighedSwitches",
     "topology: {type: rail, domains: 9, gpus_per_domain: 2, leaf_ports: 3, rail_spines: 2, "
     "spines: 3, uplink_rate: 200Gbps}\n"
     "workload: {type: all-to-all, matrix: {type: moe, experts: 36, popularity: dirichlet, "
     "tokens_per_gpu: 512}, phases: [dispatch, compute: 20us, combine]}\n"
     "balance: {type: even-split, switch: ofan}\n"}};

} // namespace

class FlowFingerprintTest : public RunTest
{
  protected:
    static std::string RunFlows(const std::string& text,
                                Sets sets = {},
                                const std::string& scheduler = "ns3::HeapScheduler")
    {
        sets.insert(sets.end(), {"engine.type=flow", "transport.congestion_control=none"});
        const Result result = Run(text, sets, scheduler);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return result.fingerprint;
    }
};

class FlowFingerprintOfTest : public FlowFingerprintTest,
                              public testing::WithParamInterface<FlowDescriptor>
{
};

TEST_P(FlowFingerprintOfTest, DoesNotDependOnTheEventScheduler)
{
    const std::string expected = RunFlows(GetParam().text);
    for (const std::string scheduler : {"ns3::MapScheduler",
                                        "ns3::CalendarScheduler",
                                        "ns3::PriorityQueueScheduler",
                                        "ns3::ListScheduler"})
    {
        EXPECT_EQ(RunFlows(GetParam().text, {}, scheduler), expected) << scheduler;
    }
}

TEST_P(FlowFingerprintOfTest, DoesNotDependOnWhatIsRecorded)
{
    const std::string expected = RunFlows(GetParam().text);
    EXPECT_EQ(RunFlows(GetParam().text,
                       {"record.messages=false", "record.links=false", "record.timeline=true"}),
              expected);
    EXPECT_EQ(RunFlows(GetParam().text, {"record.punctual=true"}), expected);
}

INSTANTIATE_TEST_SUITE_P(Descriptors,
                         FlowFingerprintOfTest,
                         testing::ValuesIn(kFlowDescriptors),
                         [](const auto& info) { return info.param.name; });

TEST_F(FlowFingerprintTest, IsAnotherForEveryRun)
{
    std::set<std::string> fingerprints;
    for (const FlowDescriptor& descriptor : kFlowDescriptors)
    {
        fingerprints.insert(RunFlows(descriptor.text));
    }
    EXPECT_EQ(fingerprints.size(), kFlowDescriptors.size());
}

} // namespace ns3::rails
