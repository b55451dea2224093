// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

/// The same number of bytes for every GPU pair: `matrix: {type: uniform}`.
class UniformMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    UniformMatrixSource()
    {
        m_traits.isEven = true;
    }

  private:
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;

    ByteSize m_bytesPerPair;
};

NS_OBJECT_ENSURE_REGISTERED(UniformMatrixSource);

TypeId
UniformMatrixSource::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::UniformMatrixSource").SetParent<MatrixSource>(),
                         "The same number of bytes for every GPU pair.")
            .SetGroupName("Rails")
            .AddConstructor<UniformMatrixSource>()
            .AddAttribute("BytesPerPair",
                          "Bytes that every GPU has for every other.",
                          ByteSizeValue(ByteSize(16'000'000)),
                          MakeByteSizeAccessor(&UniformMatrixSource::m_bytesPerPair),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Intra",
                          "Whether pairs inside a server have traffic too.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&UniformMatrixSource::m_intra),
                          MakeBooleanChecker());
    return tid;
}

uint64_t
UniformMatrixSource::GetBytes(uint32_t, uint32_t)
{
    return m_bytesPerPair.Get();
}

double
UniformMatrixSource::GetMeanBytes(uint32_t) const
{
    return static_cast<double>(m_bytesPerPair.Get());
}

} // namespace ns3::rails
