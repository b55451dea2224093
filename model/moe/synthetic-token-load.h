// SPDX-License-Identifier: GPL-2.0-only
#ifndef SYNTHETIC_TOKEN_LOAD_H
#define SYNTHETIC_TOKEN_LOAD_H

#include "token-load.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * `synthetic`: experts of a layer have shares of the tokens, which differ from layer to layer,
 * drift from iteration to iteration, and vary from micro-batch to micro-batch; every GPU of a
 * group draws its own counts from them.
 */
class SyntheticTokenLoad : public TokenLoad
{
  public:
    /// How unequal experts are.
    enum Preset
    {
        UNIFORM,
        NO_AUX,
        AUX_LOSS,
        LOSS_FREE,
        ZIPF
    };

    static TypeId GetTypeId();

    SyntheticTokenLoad();

    void Start() override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;
    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const std::vector<uint32_t>& setOf,
                                      uint32_t sets) const override;
    int64_t AssignStreams(int64_t stream) override;

    /// \return share of each expert with the tokens of a layer in an iteration; they add up to 1
    std::vector<double> GetShares(uint32_t experts, uint32_t layer, uint32_t iteration) const;

  protected:
    void DoDispose() override;

  private:
    std::vector<double> DrawShares(uint32_t experts, const LoadPlace& place) const;

    Ptr<UniformRandomVariable> m_random;
    Preset m_preset;
    double m_exponent;
    double m_drift;
    double m_spread;
    uint64_t m_seed{0};
};

} // namespace ns3::rails

#endif // SYNTHETIC_TOKEN_LOAD_H
