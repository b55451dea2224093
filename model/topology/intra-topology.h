// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTRA_TOPOLOGY_H
#define INTRA_TOPOLOGY_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/server-interior.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <memory>

namespace ns3::rails
{

/// The NVLink ports of a server's GPUs.
struct NvlinkPorts
{
    uint64_t rateBps{0};      //!< of a GPU, each direction
    TimePs latency{0};        //!< from GPU to GPU
    uint64_t segmentBytes{0}; //!< unit in which messages cross NVLink and PCIe
};

/// Interconnect of the GPUs and NICs inside a server: the `topology.intra` component.
class IntraTopology : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError when the attributes contradict each other, or the server
    virtual void Check(const ServerLayout& layout) const = 0;

    /// \return true when another one has the same type and the same attribute values
    bool IsLike(const IntraTopology& other) const;

    /// \return all links of a server and the paths over them
    virtual std::shared_ptr<const ServerInterior> Lay(const ServerLayout& layout,
                                                      const NvlinkPorts& nvlink) const = 0;

  protected:
    TimePs GetPcieLatency() const;

  private:
    Time m_pcieLatency;
};

} // namespace ns3::rails

#endif // INTRA_TOPOLOGY_H
