// SPDX-License-Identifier: GPL-2.0-only
#include "zipf-matrix-source.h"

#include "zipf-shares.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rails-about.h"
#include "ns3/random-bits.h"
#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ZipfMatrixSource);

TypeId
ZipfMatrixSource::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ZipfMatrixSource").SetParent<MatrixSource>(),
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
        // What rounding adds and takes away is nothing on average; but 1 B is the least.
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
