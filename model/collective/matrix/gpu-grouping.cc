// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-grouping.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GpuGrouping);

TypeId
GpuGrouping::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::GpuGrouping").SetParent<Object>(),
                         "Groups of GPUs of equal size, each with a matrix of its own.")
            .SetGroupName("Rails")
            .AddConstructor<GpuGrouping>()
            .AddAttribute("Size",
                          "GPUs of a group, a divisor of those of the cluster; 0 stands for all.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&GpuGrouping::m_size),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Layout",
                          "Which GPUs are in group i: those from i * size on, server by server; or "
                          "GPUs i + j * GPUs / size for j from 0 on.",
                          EnumValue(GpuPartition::CONTIGUOUS),
                          MakeWordAccessor(&GpuGrouping::m_layout),
                          MakeEnumChecker(GpuPartition::CONTIGUOUS,
                                          "contiguous",
                                          GpuPartition::STRIDED,
                                          "strided"));
    return tid;
}

void
GpuGrouping::Check(const ClusterShape& shape) const
{
    const uint32_t gpus = shape.GetGpus();
    if (m_size == 0)
    {
        if (m_layout != GpuPartition::CONTIGUOUS)
        {
            throw ConfigurationError("layout",
                                     "only groups have a layout: set groups.size as well");
        }
        return;
    }
    if (m_size == 1)
    {
        throw ConfigurationError("size", "a group of one GPU has nobody to send to");
    }
    if (gpus % m_size != 0)
    {
        throw ConfigurationError("size",
                                 "the " + std::to_string(gpus) +
                                     " GPUs of the topology do not make groups of " +
                                     std::to_string(m_size) + ": the size must divide them");
    }
}

GpuPartition
GpuGrouping::Divide(const ClusterShape& shape) const
{
    return m_size == 0 ? GpuPartition(shape) : GpuPartition(shape, m_size, m_layout);
}

} // namespace ns3::rails
