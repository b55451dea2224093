// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_LAYOUT_H
#define SERVER_LAYOUT_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Affinity of the NICs and GPUs of a server, and relative rates of its NICs. All servers are
/// alike.
class ServerLayout
{
  public:
    /// An empty layout.
    ServerLayout() = default;

    /**
     * Pairs GPUs and NICs in order. With equal numbers each GPU has one local NIC; with fewer NICs
     * consecutive GPUs share a NIC; with more NICs a GPU has several consecutive ones.
     */
    ServerLayout(uint32_t gpus, uint32_t nics);

    /**
     * \param gpus number of GPUs
     * \param nics number of NICs
     * \param near the local NIC of every GPU if nics <= gpus, otherwise the GPU of every NIC
     * \throws std::invalid_argument when `near` has another length, names a missing NIC or GPU, or
     * leaves a GPU or NIC without a partner
     */
    ServerLayout(uint32_t gpus, uint32_t nics, const std::vector<uint32_t>& near);

    uint32_t GetGpus() const;
    uint32_t GetNics() const;

    /// \return the rails of the local NICs of a GPU; at least one
    const std::vector<uint16_t>& GetNearNics(uint32_t gpu) const;

    /// \return the indices of the GPUs near a NIC; at least one
    const std::vector<uint16_t>& GetNearGpus(uint32_t rail) const;

    /**
     * \param gpu index of a GPU
     * \param turn any number
     * \return rail of a local NIC of the GPU; several NICs take turns (modulo)
     */
    uint16_t GetNearNic(uint32_t gpu, uint32_t turn) const;

    /**
     * Sets the rates of the NICs.
     * \param ratesBps by rail, in bit/s, above 0
     */
    void SetNicRates(std::vector<uint64_t> ratesBps);

    /// \return true when all NICs are equally fast
    bool HasEqualNics() const;

    /// \return the rate of a NIC over that of the fastest NIC: 1 when all are equally fast
    double GetSpeed(uint32_t rail) const;

  private:
    std::vector<std::vector<uint16_t>> m_nearNics; // by GPU
    std::vector<std::vector<uint16_t>> m_nearGpus; // by NIC
    std::vector<double> m_speeds; // by NIC, relative to the fastest; empty when all are equal
};

} // namespace ns3::rails

#endif // SERVER_LAYOUT_H
