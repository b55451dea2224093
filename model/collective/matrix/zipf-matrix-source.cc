// SPDX-License-Identifier: GPL-2.0-only
#include "pairwise-matrix-source.h"
#include "zipf-shares.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-units.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"

#include <algorithm>
#include <vector>

namespace ns3::rails
{

/**
 * Hot destination GPUs: `matrix: {type: zipf}`. The popularity of the cluster's GPUs follows Zipf's
 * law in random order; what a GPU has for another is the other's share of BytesPerGpu, jittered. A
 * GPU sends less than BytesPerGpu, because the shares of its own server stay unused without Intra
 * (and its own share always).
 */
class ZipfMatrixSource : public PairwiseMatrixSource
{
  public:
    static TypeId GetTypeId();

    ZipfMatrixSource();

    int64_t AssignStreams(int64_t stream) override;

  private:
    void Start(uint32_t gpus) override;
    uint64_t GetBytes(uint32_t source, uint32_t destination) override;
    double GetMeanBytes(uint32_t gpus) const override;

    Ptr<UniformRandomVariable> m_random;
    double m_exponent;
    ByteSize m_bytesPerGpu;
    double m_jitter;
    std::vector<double> m_shares; //!< per destination GPU
};

NS_OBJECT_ENSURE_REGISTERED(ZipfMatrixSource);

TypeId
ZipfMatrixSource::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ZipfMatrixSource").SetParent<MatrixSource>(),
                         "Hot destination GPUs: how popular a GPU is falls with its rank by "
                         "Zipf's law; ranks are drawn.")
            .SetGroupName("Rails")
            .AddConstructor<ZipfMatrixSource>()
            .AddAttribute("Exponent",
                          "Exponent of the popularity of destination GPUs; 0 is uniform.",
                          DoubleValue(1.2),
                          MakeDoubleAccessor(&ZipfMatrixSource::m_exponent),
                          MakeNumberRange(0, 10))
            .AddAttribute("BytesPerGpu",
                          "Bytes that a GPU would send if it sent to all GPUs, itself included; "
                          "shares of its own server stay unused unless intra is set.",
                          ByteSizeValue(ByteSize(1'024'000'000)),
                          MakeByteSizeAccessor(&ZipfMatrixSource::m_bytesPerGpu),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute(
                "Jitter",
                "Each size is multiplied by a uniform number of 1 - jitter to 1 + jitter.",
                DoubleValue(0.2),
                MakeDoubleAccessor(&ZipfMatrixSource::m_jitter),
                MakeNumberRange(0, 1))
            .AddAttribute("Intra",
                          "Whether pairs inside a server have traffic too.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ZipfMatrixSource::m_intra),
                          MakeBooleanChecker());
    return tid;
}

ZipfMatrixSource::ZipfMatrixSource()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
ZipfMatrixSource::Start(uint32_t gpus)
{
    RandomBits bits(m_random);
    m_shares = DrawZipfShares(gpus, m_exponent, bits);
}

uint64_t
ZipfMatrixSource::GetBytes(uint32_t, uint32_t destination)
{
    const double factor = 1 + m_jitter * (2 * RandomBits(m_random).GetUniform() - 1);
    return RoundBytes(m_shares[destination] * static_cast<double>(m_bytesPerGpu.Get()) * factor);
}

double
ZipfMatrixSource::GetMeanBytes(uint32_t gpus) const
{
    double sum = 0;
    for (const double share : GetZipfShares(gpus, m_exponent))
    {
        // Rounding cancels on average, except that 1 B is the least size.
        const double mean = share * static_cast<double>(m_bytesPerGpu.Get());
        sum += m_jitter > 0 ? std::max(1.0, mean) : static_cast<double>(RoundBytes(mean));
    }
    return sum / gpus;
}

int64_t
ZipfMatrixSource::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
