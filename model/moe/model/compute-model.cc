// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"

#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ComputeModel);
NS_OBJECT_ENSURE_REGISTERED(FlopsComputeModel);
NS_OBJECT_ENSURE_REGISTERED(GivenComputeModel);

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
                          MakeNumberRange(1, 1000));
    return tid;
}

void
ComputeModel::Check(uint32_t gpus) const
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
    const double seconds = GetSeconds(work) * work.times;
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

TypeId
FlopsComputeModel::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::FlopsComputeModel").SetParent<ComputeModel>(),
                 "Times from the floating-point operations that a part needs; the way back takes "
                 "twice as long.")
            .SetGroupName("Rails")
            .AddConstructor<FlopsComputeModel>()
            .AddAttribute("Peak",
                          "Operations that a GPU can do in a second. (dense BF16 of the "
                          "NVIDIA H100 SXM, its data sheet.)",
                          DoubleValue(989e12),
                          MakeDoubleAccessor(&FlopsComputeModel::m_peak),
                          MakeNumberRange(1e6, 1e20))
            .AddAttribute("Efficiency",
                          "The part of the peak that it reaches.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&FlopsComputeModel::m_efficiency),
                          MakeNumberRange(1e-6, 1))
            .AddAttribute("MemoryRate",
                          "Rate of a GPU's memory, which the optimizer waits for. (HBM3 of "
                          "the NVIDIA H100 SXM, 3.35 TB/s, its data sheet.)",
                          DataRateValue(DataRate(26'800'000'000'000)),
                          MakeDataRateAccessor(&FlopsComputeModel::m_memory),
                          MakeRateRange(1'000'000));
    return tid;
}

double
FlopsComputeModel::GetPeak() const
{
    return m_peak;
}

double
FlopsComputeModel::GetSeconds(const Work& work) const
{
    if (work.part == Work::Part::Optimizer)
    {
        return work.bytes * 8 / static_cast<double>(m_memory.GetBitRate());
    }
    return work.flops / (m_peak * m_efficiency);
}

TypeId
GivenComputeModel::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::GivenComputeModel").SetParent<ComputeModel>(),
                 "Times that somebody has measured, of a micro-batch on a GPU on its way forward; "
                 "the way back takes twice as long.")
            .SetGroupName("Rails")
            .AddConstructor<GivenComputeModel>()
            .AddAttribute("Attention",
                          "Attention of a layer.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GivenComputeModel::m_attention),
                          MakeTimeRange(0))
            .AddAttribute("Gate",
                          "Gate of a layer, and the permutation of tokens.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_gate),
                          MakeTimeRange(0))
            .AddAttribute("ExpertToken",
                          "A token at an expert; a GPU takes it for each of its own.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&GivenComputeModel::m_expertToken),
                          MakeTimeRange(0))
            .AddAttribute("Shared",
                          "Shared experts of a layer.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_shared),
                          MakeTimeRange(0))
            .AddAttribute("Dense",
                          "The feed-forward network of a layer without experts.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GivenComputeModel::m_dense),
                          MakeTimeRange(0))
            .AddAttribute("Head",
                          "Logits and loss.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_head),
                          MakeTimeRange(0))
            .AddAttribute("Optimizer",
                          "The step of the optimizer.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_optimizer),
                          MakeTimeRange(0));
    return tid;
}

double
GivenComputeModel::GetSeconds(const Work& work) const
{
    switch (work.part)
    {
    case Work::Part::Attention:
        return m_attention.GetSeconds() * work.share;
    case Work::Part::Gate:
        return m_gate.GetSeconds();
    case Work::Part::Experts:
        return m_expertToken.GetSeconds() * work.tokens;
    case Work::Part::Shared:
        return m_shared.GetSeconds();
    case Work::Part::Dense:
        return m_dense.GetSeconds();
    case Work::Part::Head:
        return m_head.GetSeconds();
    case Work::Part::Optimizer:
        return m_optimizer.GetSeconds();
    }
    return 0;
}

} // namespace ns3::rails
