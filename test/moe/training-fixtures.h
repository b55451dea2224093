// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_FIXTURES_H
#define TRAINING_FIXTURES_H

#include "ns3/component-maker.h"
#include "ns3/compute-model.h"
#include "ns3/flops-compute-model.h"
#include "ns3/graph-program.h"
#include "ns3/moe-model.h"
#include "ns3/object-factory.h"
#include "ns3/parallel-layout.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/synthetic-token-load.h"
#include "ns3/training-spec.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

/// \param name as in a published model: "Mixtral-8x7b"
inline Ptr<MoeModel>
MakeModel(const std::string& name)
{
    return ObjectFactory("ns3::rails::" + name + "MoeModel").Create<MoeModel>();
}

/// \param degrees by attribute: {"Tp", 2}
inline Ptr<ParallelLayout>
MakeLayout(const std::map<std::string, uint32_t>& degrees)
{
    const auto layout = CreateObject<ParallelLayout>();
    for (const auto& [name, value] : degrees)
    {
        layout->SetAttribute(name, UintegerValue(value));
    }
    return layout;
}

/// \return the usual schedule for so many chunks of layers on a GPU
inline Ptr<PipelineSchedule>
MakeSchedule(uint32_t chunks)
{
    if (chunks > 1)
    {
        return MakeComponent<PipelineSchedule>("InterleavedPipelineSchedule");
    }
    return MakeComponent<PipelineSchedule>("1f1bPipelineSchedule");
}

/// \return a training with times of given kind and loads of the usual kind
inline TrainingSpec
MakeSpec(const ClusterShape& shape,
         const ModelDimensions& model,
         const std::map<std::string, uint32_t>& degrees,
         Ptr<ComputeModel> compute)
{
    const Ptr<ParallelLayout> layout = MakeLayout(degrees);
    const uint32_t gpus = shape.GetGpus();
    layout->Check(gpus);
    const RankMaps maps = layout->MakeMaps(gpus);
    TrainingSpec spec;
    spec.shape = shape;
    spec.model = model;
    spec.attention = maps.attention;
    spec.experts = maps.experts;
    spec.tp = layout->GetTp();
    spec.cp = layout->GetCp();
    spec.dp = layout->GetDp(gpus);
    spec.pp = layout->GetPp();
    spec.ep = layout->GetEp();
    spec.etp = layout->GetEtp();
    spec.edp = layout->GetEdp(gpus);
    spec.chunks = layout->GetVpp();
    spec.schedule = MakeSchedule(spec.chunks);
    spec.collectives.algorithm = ALGORITHM_RING; // without rates nothing can be estimated
    spec.compute = compute;
    const auto load = CreateObject<SyntheticTokenLoad>();
    load->AssignStreams(1);
    load->Start();
    spec.load = load;
    return spec;
}

/// Calls back with GPU, stream, index and node for all nodes of a program, each stream in its
/// order.
template <typename Function>
void
ForEachNode(const GraphProgram& program, Function&& function)
{
    for (uint32_t gpu = 0; gpu < program.GetShape().GetGpus(); ++gpu)
    {
        for (uint32_t stream = 0; stream < program.GetStreams(); ++stream)
        {
            GraphNode node;
            for (uint64_t index = 0; program.GetNode(gpu, stream, index, node); ++index)
            {
                function(gpu, stream, index, node);
                node = GraphNode();
            }
        }
    }
}

/// \return steps of what a node moves
inline uint32_t
CountSteps(const GraphNode& node)
{
    return node.transfer ? node.transfer->GetTraits().steps : 0;
}

/**
 * Goes through all steps of a program: those who come to one must be its members, and each must get
 * what it says that it gets, whoever of them is asked.
 * \return bytes that all GPUs send, by kind
 */
inline std::map<std::string, uint64_t>
CheckSteps(const GraphProgram& program)
{
    struct Step
    {
        uint16_t kind{0};
        uint32_t place{0};                                    // in the transfer
        std::vector<uint32_t> comers;                         // ascending
        std::vector<std::shared_ptr<const CommOp>> transfers; // of each
    };

    std::map<uint32_t, Step> steps;
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        for (uint32_t i = 0; i < CountSteps(node); ++i)
        {
            Step& step = steps[node.step + i];
            EXPECT_TRUE(step.comers.empty() || step.comers.back() < gpu) << "comes twice";
            EXPECT_TRUE(step.comers.empty() || step.kind == node.kind);
            EXPECT_TRUE(step.comers.empty() || step.place == i);
            step.kind = node.kind;
            step.place = i;
            step.comers.push_back(gpu);
            step.transfers.push_back(node.transfer);
        }
    });
    std::map<std::string, uint64_t> bytes;
    std::vector<uint64_t> got(program.GetShape().GetGpus());
    for (const auto& [number, step] : steps)
    {
        // Each second answers for the whole.
        for (std::size_t i = 0; i < step.transfers.size(); i += 2)
        {
            std::vector<uint32_t> members;
            for (uint32_t server = 0; server < program.GetShape().servers; ++server)
            {
                const std::vector<uint32_t> here =
                    step.transfers[i]->GetMembers(program.GetShape(), server, step.place);
                members.insert(members.end(), here.begin(), here.end());
            }
            EXPECT_EQ(members, step.comers) << "step " << number;
        }
        const CommOp& transfer = *step.transfers[number % step.transfers.size()];
        got.assign(got.size(), 0);
        uint64_t& ofKind = bytes[program.GetKinds()[step.kind]];
        for (const uint32_t gpu : step.comers)
        {
            for (const Demand& demand : transfer.GetSends(gpu, step.place))
            {
                EXPECT_NE(demand.destination, gpu);
                EXPECT_GT(demand.bytes, 0U);
                got[demand.destination] += demand.bytes;
                ofKind += demand.bytes;
            }
        }
        uint64_t sum = 0;
        for (const uint32_t gpu : step.comers)
        {
            EXPECT_EQ(transfer.GetReceived(gpu, step.place), got[gpu])
                << program.GetKinds()[step.kind] << " to GPU " << gpu << ", step " << number;
            sum += got[gpu];
        }
        uint64_t all = 0;
        for (const uint64_t each : got)
        {
            all += each;
        }
        EXPECT_EQ(sum, all) << "bytes for GPUs that do not come";
    }
    return bytes;
}

/// Calls back with kind, sender and demand for all that is sent.
template <typename Function>
void
ForEachSend(const GraphProgram& program, Function&& function)
{
    ForEachNode(program, [&](uint32_t gpu, uint32_t, uint64_t, const GraphNode& node) {
        for (uint32_t i = 0; i < CountSteps(node); ++i)
        {
            for (const Demand& demand : node.transfer->GetSends(gpu, i))
            {
                function(program.GetKinds()[node.kind], gpu, demand);
            }
        }
    });
}

/// The nodes of a GPU, and which of them have to be over before others begin.
class NodeOrder
{
  public:
    struct Place
    {
        uint32_t stream;
        uint64_t index;
    };

    NodeOrder(const GraphProgram& program, uint32_t gpu)
        : m_kinds(program.GetKinds()),
          m_nodes(program.GetStreams()),
          m_over(program.GetStreams())
    {
        for (uint32_t stream = 0; stream < program.GetStreams(); ++stream)
        {
            GraphNode node;
            while (program.GetNode(gpu, stream, m_nodes[stream].size(), node))
            {
                m_nodes[stream].push_back(node);
                node = GraphNode();
            }
        }
        for (bool goesOn = true; goesOn;)
        {
            goesOn = false;
            for (uint32_t stream = 0; stream < m_nodes.size(); ++stream)
            {
                while (m_over[stream].size() < m_nodes[stream].size() && Advance(stream))
                {
                    goesOn = true;
                }
            }
        }
    }

    const GraphNode& Get(const Place& place) const
    {
        return m_nodes[place.stream][place.index];
    }

    const std::string& GetKind(const Place& place) const
    {
        return m_kinds[Get(place).kind];
    }

    /// \return nodes of a kind, stream by stream
    std::vector<Place> List(const std::string& kind) const
    {
        std::vector<Place> places;
        for (const Place& place : List())
        {
            if (GetKind(place) == kind)
            {
                places.push_back(place);
            }
        }
        return places;
    }

    std::vector<Place> List() const
    {
        std::vector<Place> places;
        for (uint32_t stream = 0; stream < m_nodes.size(); ++stream)
        {
            for (uint64_t index = 0; index < m_nodes[stream].size(); ++index)
            {
                places.push_back({stream, index});
            }
        }
        return places;
    }

    /// \return kinds of a stream's nodes, in their order
    std::vector<std::string> ListKinds(uint32_t stream) const
    {
        std::vector<std::string> kinds;
        for (const GraphNode& node : m_nodes[stream])
        {
            kinds.push_back(m_kinds[node.kind]);
        }
        return kinds;
    }

    /// \return true when one node cannot begin before another is over
    bool IsBefore(const Place& one, const Place& other) const
    {
        return m_over[other.stream].at(other.index)[one.stream] > one.index;
    }

  private:
    /// \return true when it is known now what has to be over before the next node of a stream
    bool Advance(uint32_t stream)
    {
        const uint64_t index = m_over[stream].size();
        std::vector<uint64_t> over(m_nodes.size());
        std::vector<GraphNode::Wait> waits = m_nodes[stream][index].waits;
        waits.push_back({stream, index});
        for (const GraphNode::Wait& wait : waits)
        {
            if (wait.count > m_over[wait.stream].size())
            {
                return false;
            }
            over[wait.stream] = std::max(over[wait.stream], wait.count);
            for (uint32_t i = 0; wait.count > 0 && i < over.size(); ++i)
            {
                over[i] = std::max(over[i], m_over[wait.stream][wait.count - 1][i]);
            }
        }
        m_over[stream].push_back(over);
        return true;
    }

    std::vector<std::string> m_kinds;
    std::vector<std::vector<GraphNode>> m_nodes; // by stream
    /// By stream and node: how many nodes of each stream.
    std::vector<std::vector<std::vector<uint64_t>>> m_over;
};

} // namespace ns3::rails::test

#endif // TRAINING_FIXTURES_H
