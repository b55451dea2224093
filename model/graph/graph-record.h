// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_RECORD_H
#define GRAPH_RECORD_H

#include "ns3/collective-record.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Times of a kind of nodes in a run. Sums over GPUs, in picoseconds, exceed 64 bits.
struct KindRecord
{
    std::string name;
    bool isCompute{false};
    uint64_t nodes{0};
    uint64_t bytes{0};    //!< payload that its nodes sent
    double busy{0};       //!< time with such a node under way, summed over the GPUs
    double exposed{0};    //!< part of `busy` in which the GPU did not compute, summed likewise
    TimePs critical{0};   //!< on the critical path of the run
    TimePs end{0};        //!< end of the last of its nodes
    bool isOnHost{false}; //!< the CPU of the server runs its nodes
};

/// Results of one of several jobs.
struct JobRecord
{
    std::string name;
    std::vector<uint32_t> servers; //!< of the cluster, by server of the job
    TimePs start{0};
    TimePs end{0};
    uint32_t iterations{1};
    std::vector<std::pair<std::string, double>> figures; //!< see GraphProgram::GetFigures()
};

/// Results of a run of a graph.
struct GraphRecord
{
    uint32_t gpus{0};
    uint32_t iterations{1};
    TimePs end{0};       //!< end of the last node, from the start of the run
    double computing{0}; //!< time in which a GPU computed, summed over the GPUs
    std::vector<KindRecord> kinds;
    std::vector<CollectiveRecord> collectives;
    uint64_t nodes{0};
};

} // namespace ns3::rails

#endif // GRAPH_RECORD_H
