// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_PLACEMENT_H
#define SERVER_PLACEMENT_H

#include "ns3/object.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Choice of the servers of a job in a cluster; server i of the job is entry i of the result.
class ServerPlacement : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param taken by server of the cluster, whether another job has it
     * \return servers of the cluster, at least one
     * \throws ConfigurationError when a server does not exist, or belongs to another job
     */
    std::vector<uint32_t> Place(const std::vector<bool>& taken) const;

  private:
    /// \return servers, not checked for existence and other jobs
    virtual std::vector<uint64_t> Choose(const std::vector<bool>& taken) const = 0;
};

/// `contiguous`
class ContiguousServerPlacement : public ServerPlacement
{
  public:
    static TypeId GetTypeId();

  private:
    std::vector<uint64_t> Choose(const std::vector<bool>& taken) const override;

    uint32_t m_servers;
    std::optional<uint32_t> m_first;
};

/// `strided`
class StridedServerPlacement : public ServerPlacement
{
  public:
    static TypeId GetTypeId();

  private:
    std::vector<uint64_t> Choose(const std::vector<bool>& taken) const override;

    uint32_t m_servers;
    uint32_t m_first;
    uint32_t m_stride;
};

/// `given`
class GivenServerPlacement : public ServerPlacement
{
  public:
    static TypeId GetTypeId();

  private:
    std::vector<uint64_t> Choose(const std::vector<bool>& taken) const override;

    CountList m_servers;
};

} // namespace ns3::rails

#endif // SERVER_PLACEMENT_H
