// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_READER_H
#define NIC_READER_H

#include "rails-transfer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

namespace ns3::rails
{

/**
 * What a NIC reads from GPUs over PCIe: it asks for a segment after the other, for its queue pairs
 * by turns, of each in the order in which messages were posted, and has some requests under way at
 * the same time. What comes to a GPU by NVLink first can be asked for as it comes.
 */
class NicReader
{
  public:
    /// Sends bytes of a message from an end of the server to the NIC.
    using Request = std::function<void(uint32_t end, Transfer& transfer, uint64_t bytes)>;

    /**
     * \param reads requests under way at most
     * \param segmentBytes largest request
     * \param request makes one
     */
    NicReader(uint32_t reads, uint64_t segmentBytes, Request request);

    /// Bytes of a message can be read from an end. \param queuePair its number at the NIC
    void Add(uint32_t queuePair, uint32_t end, Transfer& transfer, uint64_t bytes);

    /// What was asked for has come.
    void OnRead();

    /// Makes as many requests as may be under way; to be called at the end of an instant, so that
    /// messages which are posted together take turns from the first request on.
    void AskForMore();

  private:
    /// Bytes that wait to be asked for.
    struct Waiting
    {
        Transfer* transfer;
        uint32_t end;
        uint64_t bytes;
    };

    using Key = std::tuple<uint32_t, uint64_t, uint64_t>; // queue pair, Transfer::order, turn

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
