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
 * `synthetic`: experts of a layer have shares of the tokens, which differ from layer to layer,
 * drift from iteration to iteration, and vary from micro-batch to micro-batch and from GPU to GPU;
 * every GPU of a group draws its own counts from them.
 */
class SyntheticTokenLoad : public TokenLoad
{
  public:
    /// How unequal experts are.
    enum Preset
    {
        OF_MODEL, //!< as what the model's training does for balance leaves them
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
    std::optional<uint32_t> GetFirstIteration() const override;
    int64_t AssignStreams(int64_t stream) override;

    /// \param layer counted from the first that has experts
    /// \return share of each expert with the tokens of a layer in an iteration; they add up to 1.
    /// Without a model, that of one without any balancing
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
