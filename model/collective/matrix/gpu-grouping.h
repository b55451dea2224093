// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_GROUPING_H
#define GPU_GROUPING_H

#include "gpu-groups.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Into which groups the GPUs of a cluster are divided: the `groups` component of a workload.
class GpuGrouping : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param shape the cluster
     * \throws ConfigurationError when it cannot be divided so
     */
    void Check(const ClusterShape& shape) const;

    /// \param shape the cluster, which passes Check()
    GpuGroups Divide(const ClusterShape& shape) const;

  private:
    uint32_t m_size;
    GpuGroups::Layout m_layout;
};

} // namespace ns3::rails

#endif // GPU_GROUPING_H
