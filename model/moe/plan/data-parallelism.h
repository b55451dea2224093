// SPDX-License-Identifier: GPL-2.0-only
#ifndef DATA_PARALLELISM_H
#define DATA_PARALLELISM_H

#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// How replicas of a model share what it takes to train it.
struct Replication
{
    /// What each replica has a part of.
    enum class Divided : uint8_t
    {
        Optimizer,
        Nothing,
        All //!< parameters and gradients, too
    };

    Divided divided{Divided::Optimizer};
    uint32_t prefetch{1};           //!< where all is divided: layers gathered ahead
    uint64_t bucket{0};             //!< bytes of gradients that go together, at least
    bool overlapsParameters{false}; //!< they are gathered under the way forward
    bool hasNorm{false}; //!< nothing is updated before the norm of all gradients is known

    /// \return true when parameters are gathered behind the optimizer that has updated parts of
    /// them
    bool GathersAtEnd() const
    {
        return divided == Divided::Optimizer && !overlapsParameters;
    }

    bool DividesAll() const
    {
        return divided == Divided::All;
    }
};

/// `data` of a training: what replicas of parameters exchange, and when.
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

/// `distributed-optimizer`: each replica has all parameters, and updates a part of them.
class DistributedOptimizer : public DataParallelism
{
  public:
    static TypeId GetTypeId();

    Replication Get() const override;

  private:
    ByteSize m_bucket;
    bool m_overlapsParameters{false};
};

/// `plain`: each replica has all parameters and updates them all.
class PlainDataParallelism : public DataParallelism
{
  public:
    static TypeId GetTypeId();

    Replication Get() const override;

  private:
    ByteSize m_bucket;
};

/// `fsdp`: parameters, gradients and optimizer are divided.
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
