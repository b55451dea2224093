// SPDX-License-Identifier: GPL-2.0-only
#include "flops-compute-model.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FlopsComputeModel);

TypeId
FlopsComputeModel::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FlopsComputeModel").SetParent<ComputeModel>(),
            "Times from the floating-point operations that a part needs; the way back takes "
            "twice as long.")
            .SetGroupName("Rails")
            .AddConstructor<FlopsComputeModel>()
            .AddAttribute("Peak",
                          "Operations that a GPU can do in a second. (dense BF16 of the "
                          "NVIDIA H100 SXM, its data sheet.)",
                          DoubleValue(kPeak),
                          MakeDoubleAccessor(&FlopsComputeModel::m_peak),
                          MakeNumberRange(1e6, 1e20))
            .AddAttribute("Efficiency",
                          "The part of the peak that it reaches.",
                          DoubleValue(kEfficiency),
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
FlopsComputeModel::GetPeak(Precision precision) const
{
    return precision == BF16 ? m_peak : 0; // the key gives one rate for all precisions
}

double
FlopsComputeModel::GetSeconds(const Work& work) const
{
    if (work.part == Work::Part::Optimizer)
    {
        return work.bytes * 8 / static_cast<double>(m_memory.GetBitRate());
    }
    return work.flops / (m_peak * m_efficiency) * work.times;
}

} // namespace ns3::rails
