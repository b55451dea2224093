// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-units.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"

#include <boost/random/exponential_distribution.hpp>
#include <cmath>

namespace ns3::rails
{

/**
 * Each GPU pair has traffic with a given probability, of exponentially distributed size:
 * `matrix: {type: sparse}`.
 */
class SparseMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    SparseMatrixSource();

    int64_t AssignStreams(int64_t stream) override;

  private:
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;
    double GetDensity() const override;

    Ptr<UniformRandomVariable> m_random;
    double m_density;
    ByteSize m_mean;
};

NS_OBJECT_ENSURE_REGISTERED(SparseMatrixSource);

TypeId
SparseMatrixSource::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::SparseMatrixSource").SetParent<MatrixSource>(),
                         "Each GPU pair has traffic with a given probability, of exponentially "
                         "distributed size.")
            .SetGroupName("Rails")
            .AddConstructor<SparseMatrixSource>()
            .AddAttribute("Density",
                          "Probability that a GPU pair has traffic.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&SparseMatrixSource::m_density),
                          MakeNumberRange(0, 1))
            .AddAttribute("Mean",
                          "Mean bytes of a pair that has traffic; sizes are exponential, at least "
                          "1 B.",
                          ByteSizeValue(ByteSize(64'000'000)),
                          MakeByteSizeAccessor(&SparseMatrixSource::m_mean),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Intra",
                          "Whether pairs inside a server have traffic too.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SparseMatrixSource::m_intra),
                          MakeBooleanChecker());
    return tid;
}

SparseMatrixSource::SparseMatrixSource()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint64_t
SparseMatrixSource::GetBytes(uint32_t, uint32_t)
{
    RandomBits bits(m_random);
    if (bits.GetUniform() >= m_density)
    {
        return 0;
    }
    return RoundBytes(boost::random::exponential_distribution<>()(bits) *
                      static_cast<double>(m_mean.Get()));
}

double
SparseMatrixSource::GetMeanBytes(uint32_t) const
{
    // An exponential size rounded to whole bytes has the mean 1 / (2 sinh(h)), h being half a byte
    // over its mean, and of those that are rounded to 0 each becomes 1.
    const double half = 0.5 / static_cast<double>(m_mean.Get());
    return m_density * (0.5 / std::sinh(half) - std::expm1(-half));
}

int64_t
SparseMatrixSource::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

double
SparseMatrixSource::GetDensity() const
{
    return m_density;
}

} // namespace ns3::rails
