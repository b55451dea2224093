// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMM_OP_H
#define COMM_OP_H

#include "matrix-sum.h"
#include "traffic-matrix.h"

#include "ns3/cluster-shape.h"
#include "ns3/rail-queue.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Traits of a communication operation.
struct CommOpTraits
{
    uint32_t steps{1};
    uint32_t lanes{1}; //!< equal parts of the steps; steps of a lane follow each other, lanes are
    //!< independent of each other
    uint16_t channel{0};         //!< of its messages (Message::channel): its communicator
    bool isDataDependent{false}; //!< sends of a GPU are unknown until it begins the operation, so a
    //!< server plans the first step of a lane when the last of its
    //!< members has begun
    /// An all-to-all exchange of a group. Other operations may have another balancer
    /// (Balancer::GetOtherBalancer()).
    bool isExchange{true};
    /// Each step is posted at a time of its own (CommOp::GetStart()), independent of other steps.
    bool isTimed{false};
    /// The operation is over on a GPU once the GPU has received all bytes for it. Otherwise the GPU
    /// also needs the acknowledgements of all bytes that it sent.
    bool endsWhenReceived{false};
    /// GPUs react to single messages. Otherwise only the end of the whole operation matters, and
    /// the service may report single messages late (Message::isAwaited).
    bool isAwaited{true};
};

/**
 * A communication operation (transfer) among GPUs: a collective or a point-to-point message, in
 * steps that are counted from 0. Nodes of the GPUs point to it. Results depend only on the
 * arguments, and two objects made for the same nodes agree, so each GPU may have its own object.
 *
 * A GPU sends its part of a step when it has received all of the previous step of the lane.
 */
class CommOp
{
  public:
    explicit CommOp(const CommOpTraits& traits)
        : m_traits(traits)
    {
    }

    virtual ~CommOp() = default;

    CommOp(const CommOp&) = delete;
    CommOp& operator=(const CommOp&) = delete;

    const CommOpTraits& GetTraits() const
    {
        return m_traits;
    }

    /// \return number of steps of a lane
    uint32_t CountLaneSteps() const
    {
        return m_traits.steps / m_traits.lanes;
    }

    /// \return true when a GPU has a node for a step; of a timed operation, when it sends
    virtual bool TakesPart(uint32_t gpu, uint32_t step) const = 0;

    /// \return period of a lane in steps: later steps repeat senders, bytes and rails
    virtual uint32_t CountDifferentSteps() const
    {
        return CountLaneSteps();
    }

    /// \return GPUs of a server that take part in a step, ascending
    std::vector<uint32_t> GetMembers(const ClusterShape& shape,
                                     uint32_t server,
                                     uint32_t step) const;

    /// \return demands of a GPU in a step, sorted by destination; none to itself
    virtual std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const = 0;

    /// \return bytes that a GPU receives in a step from all others together
    virtual uint64_t GetReceived(uint32_t gpu, uint32_t step) const = 0;

    /// \return rail and queue pair of the messages that a GPU sends to other servers in a step; no
    /// rail: a balancer decides
    virtual RailQueue GetRail(uint32_t /* gpu */, uint32_t /* step */) const
    {
        return {};
    }

    /// \return post time of a step of a timed operation, from the begin of the operation
    virtual TimePs GetStart(uint32_t /* step */) const
    {
        return 0;
    }

  private:
    CommOpTraits m_traits;
};

/// Adds the traffic of a GPU in a transfer. \param often number of times that it runs
void AddSends(uint32_t gpu, const CommOp& transfer, uint64_t often, MatrixSum& total);

/// \return sum of the bytes of transfers. \param transfers nulls are ignored
/// \param often number of times that each of them runs
TrafficMatrix AddUp(const ClusterShape& shape,
                    const std::vector<std::shared_ptr<const CommOp>>& transfers,
                    uint64_t often = 1);

/// \return demands of a GPU, without bytes for itself. \param bytes by destination
std::vector<Demand> ListDemands(const std::map<uint32_t, uint64_t>& bytes, uint32_t gpu);

/// A transfer given by the bytes of each pair of GPUs, so that sends and receives always agree.
class PairTransfer : public CommOp
{
  public:
    using CommOp::CommOp;

    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const final;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const final;

  protected:
    /// \return peers that a GPU may send to or receive from, in any order; itself is ignored
    virtual const std::vector<uint32_t>& GetPartners(uint32_t gpu, uint32_t step) const = 0;

    /// \return bytes from one GPU to another
    virtual uint64_t CountBytes(uint32_t from, uint32_t to, uint32_t step) const = 0;
};

} // namespace ns3::rails

#endif // COMM_OP_H
