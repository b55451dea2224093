// SPDX-License-Identifier: GPL-2.0-only
#ifndef SYNTHETIC_TOKEN_LOAD_H
#define SYNTHETIC_TOKEN_LOAD_H

#include "token-load.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `synthetic`: each expert of a layer has a share of the tokens. Shares differ between layers,
 * drift over iterations, and vary between micro-batches and GPUs. Each GPU of a group draws its own
 * counts.
 */
class SyntheticTokenLoad : public TokenLoad
{
  public:
    /// Degree of imbalance.
    enum Preset
    {
        OF_MODEL, //!< follows ModelDimensions::balancing of the model
        UNIFORM,
        NO_AUX,
        AUX_LOSS,
        LOSS_FREE,
        ZIPF,
        ZIPF_INDEPENDENT
    };

    static TypeId GetTypeId();

    SyntheticTokenLoad();

    void Start() override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;
    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const TokenSplit& split) const override;

    std::optional<uint32_t> GetFirstIteration() const override
    {
        return m_firstIteration;
    }

    int64_t AssignStreams(int64_t stream) override;

    /// \param layer counted from the first layer with experts
    /// \return share of each expert in the tokens of a layer in an iteration; shares add up to 1.
    ///     OF_MODEL counts as no balancing here.
    std::vector<double> GetShares(uint32_t experts, uint32_t layer, uint32_t iteration) const;

  protected:
    void DoDispose() override;

  private:
    std::vector<double> FindShares(const LoadShape& shape, const LoadPlace& place) const;
    LoadShape FindChoices(const LoadShape& shape) const;
    Preset FindPreset(ModelDimensions::Balancing balancing) const;
    std::vector<double> FindShares(Preset preset,
                                   uint32_t experts,
                                   uint32_t layer,
                                   uint32_t depth,
                                   uint32_t iteration) const;
    void Begin(std::vector<double>& shares, uint32_t iteration) const;
    void Drift(std::vector<double>& shares,
               Preset preset,
               uint32_t layer,
               uint32_t depth,
               uint32_t iteration) const;
    std::vector<double> FindSpreads(const LoadShape& shape,
                                    uint32_t layer,
                                    const std::vector<double>& inclusion) const;

    Ptr<UniformRandomVariable> m_random;
    Preset m_preset;
    double m_exponent;
    double m_drift;
    double m_targetDrift;
    double m_firstLayerDrift;
    double m_volatility;
    double m_settling;
    double m_onset;
    uint32_t m_firstIteration;
    double m_spread;
    double m_spreadOfSpread;
    uint64_t m_seed{0};
};

} // namespace ns3::rails

#endif // SYNTHETIC_TOKEN_LOAD_H
