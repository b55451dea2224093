// SPDX-License-Identifier: GPL-2.0-only
#ifndef NVLINK_DOMAIN_H
#define NVLINK_DOMAIN_H

#include "rails-transfer.h"

#include "ns3/rails-agenda.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// The server that an NVLink domain belongs to.
class NvlinkClient
{
  public:
    virtual ~NvlinkClient() = default;

    /// Bytes of a message have arrived at a GPU of the server.
    virtual void OnCrossed(Transfer& transfer, uint64_t bytes) = 0;
};

/**
 * The NVLink domain of a server: a non-blocking switch with one port per GPU, of equal rate in and
 * out; lossless, without flow control or marking. Messages cross it in segments, so that a transfer
 * over NVLink, NIC and NVLink is a pipeline: a segment is handed on when its last byte has come,
 * which adds at most the time of one segment per crossing. A GPU's way out serves its destinations
 * in turn, and among what goes to one of them the servers at the far end, segment by segment: a NIC
 * soon has something for every peer. Its way in takes segments in the order in which they were
 * sent.
 */
class NvlinkDomain
{
  public:
    /**
     * \param gpus GPUs of the server
     * \param rateBps rate of a GPU in each direction, in bit/s
     * \param latency from port to port
     * \param segmentBytes size of a segment, at most 1 MiB
     * \param client the server
     * \param agenda its agenda
     * \param firstIndex rank of its tasks among those of the server
     */
    NvlinkDomain(uint32_t gpus,
                 uint64_t rateBps,
                 TimePs latency,
                 uint64_t segmentBytes,
                 NvlinkClient& client,
                 Agenda& agenda,
                 uint32_t firstIndex);
    ~NvlinkDomain();

    /**
     * Sends bytes of a message from one GPU to another of the server; among those for one GPU, the
     * lanes of the transfers take turns.
     * \param from index of the GPU that has them
     * \param to index of the GPU that gets them
     */
    void Send(uint32_t from, uint32_t to, Transfer& transfer, uint64_t bytes);

    /// \return bytes that left a GPU by NVLink
    uint64_t GetTxBytes(uint32_t gpu) const;

    uint64_t GetSegmentBytes() const;

  private:
    class Gpu;

    uint64_t m_rateBps;
    TimePs m_latency;
    uint64_t m_segmentBytes;
    NvlinkClient& m_client;
    Agenda& m_agenda;
    std::vector<std::unique_ptr<Gpu>> m_gpus;
};

} // namespace ns3::rails

#endif // NVLINK_DOMAIN_H
