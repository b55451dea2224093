// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_MESSAGE_H
#define RAILS_MESSAGE_H

#include "ns3/cluster-shape.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * One RDMA message: a piece of what one GPU has for another, on one NIC at each end. The caller
 * owns it and keeps it in place until it is delivered and acknowledged. GPUs are numbered
 * server by server: GPU n of server s is s * gpusPerServer + n.
 */
struct Message
{
    uint64_t id{0};              //!< running number in the run
    uint32_t pair{0};            //!< the GPU pair it belongs to (pair_id of messages.csv)
    uint32_t source{0};          //!< source GPU
    uint32_t destination{0};     //!< destination GPU
    uint32_t step{0};            //!< of its phase, or of the program
    uint32_t crossing{0};        //!< where few replicas answer for all: for which way to another
                                 //!< replica it stands (ReplicaFold), with a queue pair of its own
    uint16_t txRail{kNoRail};    //!< NIC of the source's server that sends it
    uint16_t rxRail{kNoRail};    //!< NIC of the destination's server that receives it
    uint16_t kind{0};            //!< of traffic: a phase of the workload, or what nodes are
    uint16_t subflow{0};         //!< which of the parallel ways between its NICs it takes
    uint16_t channel{0};         //!< messages of different channels have no order among them: they
                                 //!< have queue pairs of their own, and take turns inside a server
    uint32_t entropy{0};         //!< what switches hash where it has a queue pair of its own: it
                                 //!< says which message of its plan it is, not when it was posted
    bool isSent{false};          //!< its last byte has begun to leave; the poster's own note
    bool isDeliveryKnown{false}; //!< the destination's server has been told; the poster's own note
    bool isAckKnown{false};      //!< the source's server has been told; the poster's own note
    bool isAwaited{false};       //!< somebody acts as soon as it is sent or delivered; of others an
                                 //!< engine may tell later, with the right times
    bool isPinned{false};        //!< on the rail that its collective has chosen, not a planner
    bool isAbandoned{false};     //!< given up: what has arrived of it does not count
    uint64_t bytes{0};           //!< payload, at least 1
    uint64_t paceBps{0};         //!< most that it is sent with, wire bits per second, counted from
                                 //!< its post; 0: as its congestion control says, which holds too
    TimePs start{kNever};        //!< when it was posted
    TimePs sent{kNever};         //!< when its first byte began to leave (inside a server: never)
    TimePs end{kNever};          //!< when its last byte was in the destination GPU's memory
    TimePs acknowledged{kNever}; //!< when its sender knew of the end (inside a server: end)
};

} // namespace ns3::rails

#endif // RAILS_MESSAGE_H
