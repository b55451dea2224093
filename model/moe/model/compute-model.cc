// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/seeded-bits.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ComputeModel);

namespace
{

/// \return a number between 0 and 1, neither included
double
DrawShare(SeededBits& bits)
{
    constexpr uint32_t low = 12; // of 64 bits
    constexpr double parts = uint64_t{1} << 52;
    return (static_cast<double>(bits() >> low) + 0.5) / parts;
}

/// \return a draw of the normal distribution of mean 0 and deviation 1 (Box and Muller)
double
DrawNormal(SeededBits& bits)
{
    const double radius = std::sqrt(-2 * std::log(DrawShare(bits)));
    return radius * std::cos(2 * M_PI * DrawShare(bits));
}

} // namespace

TypeId
ComputeModel::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ComputeModel").SetParent<Object>(),
                         "How long GPUs compute.")
            .SetGroupName("Rails")
            .AddAttribute("SlowGpu",
                          "Number of a GPU that takes slow_factor times as long.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ComputeModel::m_slowGpu),
                          MakeCountRange<uint32_t>())
            .AddAttribute("SlowFactor",
                          "How many times as long the slow GPU takes for all that it computes; 1: "
                          "none is slow.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&ComputeModel::m_slowFactor),
                          MakeNumberRange(1, 1000))
            .AddAttribute("Sms",
                          "Streaming multiprocessors of a GPU, of which kernels that communicate "
                          "take some. By default those of the device, otherwise 132. (NVIDIA H100 "
                          "SXM, its data sheet.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&ComputeModel::m_sms),
                          MakeCountRange<uint32_t>(1, 100'000))
            .AddAttribute("Jitter",
                          "Standard deviation of the time that the same takes, from one time to "
                          "the next, of its mean; log-normal, drawn from the seed of the run for "
                          "each GPU and operation.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ComputeModel::m_jitter),
                          MakeNumberRange(0, 10));
    return tid;
}

ComputeModel::ComputeModel()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
ComputeModel::Check(uint32_t gpus, Precision) const
{
    if (m_slowGpu >= gpus)
    {
        throw ConfigurationError("slow_gpu",
                                 "the topology has only " + std::to_string(gpus) +
                                     " GPUs, numbered from 0");
    }
}

TimePs
ComputeModel::GetTime(const Work& work) const
{
    // A whole number must not be rounded up by an error of the product.
    constexpr double almost = 1e-4;
    const double seconds = GetSeconds(work);
    constexpr double day = 86'400;
    if (!(seconds < day))
    {
        throw ConfigurationError("compute",
                                 "a GPU would compute for more than a day without a pause: are "
                                 "peak, memory_rate, or the given times in the right units?");
    }
    return static_cast<TimePs>(std::ceil(seconds * kPicosecondsPerSecond - almost));
}

TimePs
ComputeModel::Vary(uint32_t gpu, TimePs time, const Moment& moment) const
{
    double factor = gpu == m_slowGpu ? m_slowFactor : 1;
    if (Jitters())
    {
        SeededBits bits({m_seed, gpu, moment[0], moment[1], moment[2], moment[3]});
        const double variance = std::log1p(m_jitter * m_jitter);
        factor *= std::exp(std::sqrt(variance) * DrawNormal(bits) - variance / 2);
    }
    return factor == 1 ? time : static_cast<TimePs>(std::ceil(static_cast<double>(time) * factor));
}

bool
ComputeModel::Jitters() const
{
    return m_jitter > 0;
}

void
ComputeModel::Start()
{
    if (Jitters())
    {
        m_seed = static_cast<uint64_t>(m_random->GetValue(0.0, 1.0) * 9007199254740992.0);
    }
}

int64_t
ComputeModel::AssignStreams(int64_t stream)
{
    // No stream without jitter, so that later streams keep their numbers.
    m_random->SetStream(stream);
    return Jitters() ? 1 : 0;
}

double
ComputeModel::GetPeak(Precision) const
{
    return 0;
}

uint32_t
ComputeModel::GetSms() const
{
    return m_sms.value_or(GetOwnSms());
}

uint32_t
ComputeModel::GetOwnSms() const
{
    constexpr uint32_t ofH100 = 132;
    return ofH100;
}

double
ComputeModel::GetLaunch() const
{
    return 0;
}

std::string
ComputeModel::Describe(Precision) const
{
    return {};
}

} // namespace ns3::rails
