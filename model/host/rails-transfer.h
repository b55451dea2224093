// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TRANSFER_H
#define RAILS_TRANSFER_H

#include "ns3/rails-message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

class SendQueue;
class TransferPool;

/**
 * A message on its way: what its queue pair, the NICs, NVLink and PCIe know of it. It belongs to
 * the pool of the server that posted the message and is moved by pointer. What a frame touches lies
 * in front, in one line of the processor's cache.
 */
struct alignas(64) Transfer
{
    /// Which way the message goes.
    enum class Way : uint8_t
    {
        Inside, //!< over NVLink or PCIe in its server
        Direct, //!< to a NIC that its destination reads from
        Relayed //!< to a NIC of that server, and on over NVLink or PCIe
    };

    static constexpr std::size_t kBusyBytes = 64; //!< length of what a frame touches

    uint64_t bytes{0};          //!< payload of the message; 0 in a free slot of the pool
    uint64_t firstPsn{0};       //!< packet sequence number of its first frame
    uint64_t staged{0};         //!< bytes present at the sending NIC
    uint64_t received{0};       //!< distinct bytes that reached the receiving NIC
    uint64_t delivered{0};      //!< bytes in the destination GPU's memory
    Message* message{nullptr};  //!< what its poster knows; nullptr once the message is over
    Transfer* next{nullptr};    //!< behind it in its queue pair
    uint32_t collected{0};      //!< bytes at the receiving NIC that are still to cross the server
    Way way{Way::Inside};       //!< which way the message goes
    bool isRepeated{false};     //!< a frame was sent more than once
    bool isAbandoned{false};    //!< the message was given up: frames that still come do not count
    bool isAcknowledged{false}; //!< the sender knows that all of it has arrived

    uint64_t id{0};    //!< of the message
    uint64_t order{0}; //!< among those that its NIC got posted
    uint32_t lane{0};  //!< place of the other server, counted from the one behind this; by channel
    uint16_t from{0};  //!< index of the source GPU in its server
    uint16_t to{0};    //!< index of the destination GPU in its server
    uint16_t txRail{kNoRail};    //!< NIC of the source's server
    uint16_t rxRail{kNoRail};    //!< NIC of the destination's server
    SendQueue* queue{nullptr};   //!< its queue pair; none inside a server
    TransferPool* pool{nullptr}; //!< where it belongs
};

/**
 * The transfers of the messages that a server posts.
 *
 * Frames refer to their transfer, however late they come. When a message is over of which no frame
 * was sent twice, none is on its way, and the transfer serves for another message. Others are kept
 * to the end of the run.
 */
class TransferPool
{
  public:
    TransferPool() = default;
    TransferPool(const TransferPool&) = delete;
    TransferPool& operator=(const TransferPool&) = delete;

    /// \return a transfer that has nothing but a message and its size
    Transfer& Allocate(Message& message);

    /// The message of a transfer is over, given up or delivered and acknowledged: its owner may
    /// throw it away.
    void Retire(Transfer& transfer);

    /// \return the transfer of a message that is not over; nullptr when there is none
    Transfer* Find(const Message& message) const;

    /// Shows the transfers of messages that are not over, and those that are kept.
    void Visit(const std::function<void(const Transfer&)>& look) const;

  private:
    static constexpr std::size_t kBlock = 32;

    std::vector<std::unique_ptr<Transfer[]>> m_blocks;
    std::vector<Transfer*> m_free;
    // By message, made when somebody asks: a failure gives up thousands of messages in a row.
    mutable std::unordered_map<const Message*, Transfer*> m_index;
};

} // namespace ns3::rails

#endif // RAILS_TRANSFER_H
