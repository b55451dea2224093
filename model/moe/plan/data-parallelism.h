// SPDX-License-Identifier: GPL-2.0-only
#ifndef DATA_PARALLELISM_H
#define DATA_PARALLELISM_H

#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// How replicas of a model divide states and exchange gradients.
struct Replication
{
    /// States that replicas divide instead of duplicating.
    enum class Divided : uint8_t
    {
        Optimizer,
        Nothing,
        All //!< parameters, gradients and optimizer states
    };

    Divided divided{Divided::Optimizer};
    uint32_t prefetch{1}; //!< with Divided::All: layers whose parameters are gathered ahead
    uint64_t bucket{0};   //!< least bytes of gradients in one collective
    bool overlapsParameters{false}; //!< parameters are gathered during the forward pass
    bool hasNorm{false};            //!< the optimizer waits for the norm of all gradients

    /// \return true when replicas gather updated parameters at the end of the iteration
    bool GathersAtEnd() const
    {
        return divided == Divided::Optimizer && !overlapsParameters;
    }

    bool DividesAll() const
    {
        return divided == Divided::All;
    }
};

/// `data` of a training: collectives of data-parallel replicas.
class DataParallelism : public Object
{
  public:
    static TypeId GetTypeId();

    virtual Replication Get() const = 0;

  protected:
    Replication GetBasis() const;

  private:
    bool m_hasNorm{false};
};

/// `distributed-optimizer`: each replica holds all parameters and updates its part.
class DistributedOptimizer : public DataParallelism
{
  public:
    static TypeId GetTypeId();

    Replication Get() const override;

  private:
    ByteSize m_bucket;
    bool m_overlapsParameters{false};
};

/// `plain`: each replica holds and updates all parameters.
class PlainDataParallelism : public DataParallelism
{
  public:
    static TypeId GetTypeId();

    Replication Get() const override;

  private:
    ByteSize m_bucket;
};

/// `fsdp`: replicas divide parameters, gradients and optimizer states.
class FullyShardedDataParallelism : public DataParallelism
{
  public:
    static TypeId GetTypeId();

    Replication Get() const override;

  private:
    uint32_t m_prefetch{1};
};

} // namespace ns3::rails

#endif // DATA_PARALLELISM_H
