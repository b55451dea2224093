// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_STATE_H
#define MESSAGE_STATE_H

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
class MessageStatePool;

/**
 * State of a message in flight, for its queue pair, the NICs, NVLink and PCIe. The pool of the
 * posting server owns it; others hold pointers. The members needed for every frame come first, in
 * one cache line.
 */
struct alignas(64) MessageState
{
    /// Path of the message.
    enum class Way : uint8_t
    {
        Inside, //!< over NVLink or PCIe in its server
        Direct, //!< from the receiving NIC straight into the destination GPU
        Relayed //!< from the receiving NIC over NVLink or PCIe to the destination GPU
    };

    static constexpr std::size_t kBusyBytes = 64; //!< size of the members needed for every frame

    uint64_t bytes{0};           //!< payload of the message; 0 in a free slot of the pool
    uint64_t firstPsn{0};        //!< packet sequence number of its first frame
    uint64_t staged{0};          //!< bytes present at the sending NIC
    uint64_t received{0};        //!< distinct bytes that reached the receiving NIC
    uint64_t delivered{0};       //!< bytes in the destination GPU's memory
    Message* message{nullptr};   //!< the poster's message; nullptr once the message is over
    MessageState* next{nullptr}; //!< next message of its queue pair
    uint32_t collected{0};       //!< bytes at the receiving NIC that do not fill a segment yet
    Way way{Way::Inside};        //!< path of the message
    bool isRepeated{false};      //!< a frame was retransmitted
    bool isAbandoned{false};     //!< the message was given up: later frames do not count
    bool isAcknowledged{false};  //!< the sender knows that all bytes have arrived

    uint64_t id{0};            //!< of the message
    uint64_t order{0};         //!< sequence number of its post at the NIC
    uint32_t lane{0};          //!< channel and distance to the destination server, which take turns
    uint16_t from{0};          //!< index of the source GPU in its server
    uint16_t to{0};            //!< index of the destination GPU in its server
    uint16_t txRail{kNoRail};  //!< NIC of the source server
    uint16_t rxRail{kNoRail};  //!< NIC of the destination server
    SendQueue* queue{nullptr}; //!< its queue pair; nullptr inside a server
    MessageStatePool* pool{nullptr}; //!< pool of the posting server
};

/**
 * The states of the messages that a server posts.
 *
 * Frames point to the state of their message, however late they arrive. A message that is over
 * without retransmissions has no frames in flight, so its state is reused. All other states are
 * kept to the end of the run.
 */
class MessageStatePool
{
  public:
    MessageStatePool() = default;
    MessageStatePool(const MessageStatePool&) = delete;
    MessageStatePool& operator=(const MessageStatePool&) = delete;

    /// \return a state with only the message and its size set
    MessageState& Allocate(Message& message);

    /// The message is over, given up or delivered and acknowledged: its owner may destroy it.
    void Retire(MessageState& transfer);

    /// \return the state of a message; nullptr when the message is over
    MessageState* Find(const Message& message) const;

    /// Visits the states of messages that are not over, and states kept for late frames.
    void Visit(const std::function<void(const MessageState&)>& look) const;

  private:
    static constexpr std::size_t kBlock = 32;

    std::vector<std::unique_ptr<MessageState[]>> m_blocks;
    std::vector<MessageState*> m_free;
    // By message, built at the first Find(): a failure gives up thousands of messages in a row.
    mutable std::unordered_map<const Message*, MessageState*> m_index;
};

} // namespace ns3::rails

#endif // MESSAGE_STATE_H
