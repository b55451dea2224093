// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOE_MATRIX_SOURCE_H
#define MOE_MATRIX_SOURCE_H

#include "matrix-source.h"
#include "popularity.h"

#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The dispatch of a Mixture-of-Experts layer: `matrix: {type: moe}`. Every token of every GPU
 * chooses TopK distinct experts by their popularity, and is sent once for each of them, also when
 * two of them live on one GPU. Experts are dealt over the GPUs of each group. Synthetic: tokens
 * choose independently of each other, which real text does not do.
 */
class MoeMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    MoeMatrixSource();

    void Check(const GpuGroups& groups) const override;
    TrafficMatrix Generate(const GpuGroups& groups) override;
    double EstimateBytes(const GpuGroups& groups) const override;
    bool KnowsTokens() const override;
    TokenCopies GenerateCopies(const GpuGroups& groups) override;
    double EstimateCopyBytes(const GpuGroups& groups) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * Draws the tokens of a group.
     * \param group of GPUs
     * \param matrix gets what they have for each other
     * \param onToken called with the experts of each token, in ascending order
     * \param onSource called with each member when it has no more tokens
     */
    template <typename OnToken, typename OnSource>
    void Fill(const GpuGroup& group, TrafficMatrix& matrix, OnToken onToken, OnSource onSource);

    std::vector<double> FindDeviations(const std::vector<double>& shares, uint64_t key) const;
    uint64_t GetTokenBytes() const;

    Ptr<UniformRandomVariable> m_random;
    Ptr<Popularity> m_popularity;
    uint32_t m_tokensPerGpu;
    uint32_t m_topK;
    uint32_t m_hidden;
    ByteSize m_bytesPerElement;
    uint32_t m_experts;
    double m_spread;
    double m_spreadOfSpread;
};

} // namespace ns3::rails

#endif // MOE_MATRIX_SOURCE_H
