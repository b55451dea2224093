// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_LAYOUT_H
#define SERVER_LAYOUT_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// What every server of a cluster knows of its own NICs: which GPU each is near, and how fast they
/// are beside each other. All servers are alike.
class ServerLayout
{
  public:
    /// Nothing is known yet.
    ServerLayout() = default;

    /**
     * GPUs and NICs dealt to each other in order: with as many of both each GPU has its own NIC,
     * with fewer NICs consecutive GPUs share one, with more a GPU has consecutive ones.
     */
    ServerLayout(uint32_t gpus, uint32_t nics);

    /**
     * \param gpus how many
     * \param nics how many
     * \param near for every GPU its NIC where there are no more NICs than GPUs, otherwise for every
     * NIC its GPU
     * \throws std::invalid_argument when `near` has another length or names what does not exist, or
     * a GPU or NIC would be near none
     */
    ServerLayout(uint32_t gpus, uint32_t nics, const std::vector<uint32_t>& near);

    uint32_t GetGpus() const;
    uint32_t GetNics() const;

    /// \return the NICs near a GPU, by their rails; at least one
    const std::vector<uint16_t>& GetNearNics(uint32_t gpu) const;

    /// \return the GPUs near a NIC, by their indices; at least one
    const std::vector<uint16_t>& GetNearGpus(uint32_t rail) const;

    /**
     * \param gpu index of a GPU
     * \param turn anything
     * \return one of the NICs near it: with several, each for its share of the turns
     */
    uint16_t GetNearNic(uint32_t gpu, uint32_t turn) const;

    /**
     * Rates of the NICs, where they are not all the same.
     * \param ratesBps by rail, above 0
     */
    void SetNicRates(std::vector<uint64_t> ratesBps);

    /// \return true when all NICs are equally fast
    bool HasEqualNics() const;

    /// \return the rate of a NIC in parts of the fastest one's: 1 when all are equally fast
    double GetSpeed(uint32_t rail) const;

  private:
    std::vector<std::vector<uint16_t>> m_nearNics; // by GPU
    std::vector<std::vector<uint16_t>> m_nearGpus; // by NIC
    std::vector<double> m_speeds;                  // by NIC; empty when all are the same
};

} // namespace ns3::rails

#endif // SERVER_LAYOUT_H
