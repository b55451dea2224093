// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_MESSAGE_H
#define RAILS_MESSAGE_H

#include "ns3/cluster-shape.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * One RDMA message between two GPUs, on one NIC at each end. The caller owns it and keeps it in
 * place until it is delivered and acknowledged. GPUs are numbered
 * server by server: GPU n of server s is s * gpusPerServer + n.
 */
struct Message
{
    uint64_t id{0};              //!< running number in the run
    uint32_t pair{0};            //!< number of the GPU pair (pair_id of messages.csv)
    uint32_t source{0};          //!< source GPU
    uint32_t destination{0};     //!< destination GPU
    uint32_t step{0};            //!< of its phase, or of the program
    uint32_t crossing{0};        //!< folded replicas (ReplicaFold): number of the represented path
                                 //!< to another replica, with a separate queue pair
    uint16_t txRail{kNoRail};    //!< NIC of the source's server that sends it
    uint16_t rxRail{kNoRail};    //!< NIC of the destination's server that receives it
    uint16_t kind{0};            //!< of traffic: phase of a workload, or kind of a graph node
    uint16_t subflow{0};         //!< number among the parallel queue pairs between its NICs
    uint16_t channel{0};         //!< messages of different channels are unordered: they have
                                 //!< separate queue pairs, and take turns inside a server
    uint32_t entropy{0};         //!< input of ECMP where the message has a separate queue pair; set
                                 //!< by its place in the plan, not by the time of its post
    bool isSent{false};          //!< its last byte has begun to leave; kept by the poster
    bool isDeliveryKnown{false}; //!< the destination server has been told; kept by the poster
    bool isAckKnown{false};      //!< the source server has been told; kept by the poster
    bool isAwaited{false};       //!< the client reacts at once to sending or delivery; for other
                                 //!< messages an engine may call it later, with the right times
    bool isPinned{false};        //!< on the rail of its collective, not of a rail balancer
    bool isAbandoned{false};     //!< given up: bytes that have arrived do not count
    uint64_t bytes{0};           //!< payload, at least 1
    uint64_t paceBps{0};  //!< largest mean rate on the wire since its post, in bit/s, besides
                          //!< congestion control; 0: no limit
    TimePs start{kNever}; //!< time of its post
    TimePs sent{kNever};  //!< its first byte begins to leave (inside a server: never)
    TimePs end{kNever};   //!< its last byte is in the destination GPU's memory
    TimePs acknowledged{kNever}; //!< its sender knows of the end (inside a server: end)
};

} // namespace ns3::rails

#endif // RAILS_MESSAGE_H
