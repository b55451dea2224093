// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_READER_H
#define NIC_READER_H

#include "message-state.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

namespace ns3::rails
{

/**
 * Reads of a NIC from GPUs over PCIe. The NIC requests segments, for its queue pairs in turn and
 * for each queue pair in the order of its messages, with a limited number of outstanding requests.
 * Bytes that reach a GPU over NVLink first can be requested as they arrive.
 */
class NicReader
{
  public:
    /// Sends bytes of a message from an end of the server to the NIC.
    using Request = std::function<void(uint32_t end, MessageState& transfer, uint64_t bytes)>;

    /**
     * \param reads largest number of outstanding requests
     * \param segmentBytes largest request
     * \param request executes a request
     */
    NicReader(uint32_t reads, uint64_t segmentBytes, Request request);

    /// Bytes of a message can be read from an end. \param queuePair number at the NIC
    void Add(uint32_t queuePair, uint32_t end, MessageState& transfer, uint64_t bytes);

    /// The data of a request has arrived.
    void OnRead();

    /// Makes requests up to the limit; to be called at the end of an instant, so that messages
    /// posted together take turns from the first request on.
    void AskForMore();

  private:
    /// Bytes not requested yet.
    struct Waiting
    {
        MessageState* transfer;
        uint32_t end;
        uint64_t bytes;
    };

    using Key = std::tuple<uint32_t, uint64_t, uint64_t>; // queue pair, MessageState::order, turn

    uint32_t m_reads;
    uint64_t m_segmentBytes;
    Request m_request;
    std::map<Key, Waiting> m_waiting;
    uint64_t m_added{0};
    uint32_t m_nextQueue{0};
    uint32_t m_underWay{0};
};

} // namespace ns3::rails

#endif // NIC_READER_H
