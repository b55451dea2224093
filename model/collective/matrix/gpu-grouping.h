// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_GROUPING_H
#define GPU_GROUPING_H

#include "gpu-partition.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Division of the GPUs into groups: the `groups` component of a workload.
class GpuGrouping : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param shape the cluster
     * \throws ConfigurationError when the groups do not divide it
     */
    void Check(const ClusterShape& shape) const;

    /// \param shape the cluster, which passes Check()
    GpuPartition Divide(const ClusterShape& shape) const;

  private:
    uint32_t m_size;
    GpuPartition::Layout m_layout;
};

} // namespace ns3::rails

#endif // GPU_GROUPING_H
