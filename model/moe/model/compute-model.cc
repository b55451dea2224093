// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"

#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ComputeModel);

TypeId
ComputeModel::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ComputeModel").SetParent<Object>(), "How long GPUs compute.")
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
                          MakeCountRange<uint32_t>(1, 100'000));
    return tid;
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
    // What is whole already must not become one more by the rounding of the product.
    constexpr double almost = 1e-4;
    const double seconds = GetSeconds(work);
    constexpr double day = 86'400;
    if (!(seconds < day))
    {
        throw ConfigurationError("compute",
                                 "a GPU would compute for more than a day without a pause: are "
                                 "peak, memory_rate, or the given times in the right units?");
    }
    return static_cast<TimePs>(std::ceil(seconds * 1e12 - almost));
}

TimePs
ComputeModel::Slow(uint32_t gpu, TimePs time) const
{
    return gpu == m_slowGpu && m_slowFactor != 1
               ? static_cast<TimePs>(std::ceil(static_cast<double>(time) * m_slowFactor))
               : time;
}

double
ComputeModel::GetPeak() const
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

bool
ComputeModel::ReadsShapes() const
{
    return false;
}

} // namespace ns3::rails
