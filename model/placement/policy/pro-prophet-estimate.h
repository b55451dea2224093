// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRO_PROPHET_ESTIMATE_H
#define PRO_PROPHET_ESTIMATE_H

#include "ns3/layer-time-model.h"
#include "ns3/shadow-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Estimate of a layer by Pro-Prophet's planner, while it shadows units one by one.
class ProProphetEstimate
{
  public:
    virtual ~ProProphetEstimate() = default;

    /// \param excluded GPUs without a shadow
    virtual void Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded) = 0;

    /// \return tokens that each GPU computes
    virtual const std::vector<uint64_t>& GetComputed() const = 0;

    /// \return seconds of the operations
    virtual LayerTime GetTime() const = 0;

    /**
     * \param best number of accepted units so far, in the order of shadowing
     * \param shadowed number of shadowed units, with the least time so far
     * \return number of accepted units now
     */
    virtual uint32_t Accept(uint32_t best, uint32_t shadowed) const = 0;
};

/// Estimate of Algorithm 1 (arXiv 2411.10003, eq. 1 to 8).
class AlgorithmOneEstimate : public ProProphetEstimate
{
  public:
    /// \param excluded n: GPUs that no unit is sent to
    AlgorithmOneEstimate(const LayerRates& rates,
                         const std::vector<ShadowUnit>& units,
                         uint32_t excluded);

    void Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded) override;
    const std::vector<uint64_t>& GetComputed() const override;
    LayerTime GetTime() const override;
    /// \return `shadowed`: the best prefix
    uint32_t Accept(uint32_t best, uint32_t shadowed) const override;

  private:
    LayerTimeModel m_model;
    ShadowTrial m_trial;
    uint32_t m_excluded;
    uint32_t m_shadows{0};
};

/**
 * Estimate of the released planner (king0722/Pro-Prophet at 44098d3, search_algorithm.py). It
 * differs from the paper:
 * - all-to-alls have a bandwidth that depends on their bytes;
 * - they carry all tokens of an expert, local ones included;
 * - a shadow takes from them, for each GPU, the tokens that this GPU would have sent, although
 *   received tokens are counted;
 * - a GPU whose unit is shadowed loses the tokens of earlier shadows on it;
 * - excluded GPUs count as computing their own tokens;
 * - transfers are charged for one unit, for any number of shadowed units;
 * - the size of a number in bytes is multiplied into floating-point operations;
 * - the rest of a layer takes 4 b S^2 d + 4 b S d^2 operations forward for b sequences of S tokens,
 *   d wide, and twice that backward;
 * - the first units are accepted, one per improvement.
 */
class ReleasedEstimate : public ProProphetEstimate
{
  public:
    static constexpr double kTransferBandwidth = 15e9 / 8; //!< bytes per second of Trans and Agg
    static constexpr double kFlops = 35.7e12;              //!< of an RTX 3090
    static constexpr double kNumberBytes = 4;              //!< bytes of a number, of any kind
    static constexpr double kTolerance = 3;                //!< mean loads: alpha of eq. 7

    /**
     * \param bandwidth of transfers, bytes per second
     * \param flops operations per second of a GPU
     * \return input of the estimate
     */
    static LayerRates MakeRates(const ExpertSetting& setting, double bandwidth, double flops);

    /**
     * \param rates of MakeRates()
     * \param units of whole GPUs
     * \param excluded n: GPUs that no unit is sent to
     */
    ReleasedEstimate(const LayerRates& rates,
                     const std::vector<ShadowUnit>& units,
                     uint32_t excluded);

    void Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded) override;
    const std::vector<uint64_t>& GetComputed() const override;
    LayerTime GetTime() const override;
    /// \return one more than before
    uint32_t Accept(uint32_t best, uint32_t shadowed) const override;

    /// \return bytes per second of an all-to-all, by the most bytes of a GPU
    static double FindAllToAllBandwidth(double bytes);

    /// \return 1 if each unit has a GPU without a token for it, otherwise 0
    static uint32_t FindExcluded(const std::vector<ShadowUnit>& units);

  private:
    LayerRates m_rates;
    std::vector<uint64_t> m_computed; //!< tokens by GPU
    std::vector<int64_t> m_sent;      //!< tokens by GPU, in its mixture of received and sent
    uint32_t m_excluded;
    uint32_t m_expertsSent{0}; //!< experts that transfers are charged for
};

} // namespace ns3::rails

#endif // PRO_PROPHET_ESTIMATE_H
