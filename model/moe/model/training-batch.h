// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_BATCH_H
#define TRAINING_BATCH_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// Batch of an iteration: `batch` of a training.
class TrainingBatch : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return sequences of a micro-batch on each replica
    uint32_t GetMicro() const
    {
        return m_micro;
    }

    /// \return tokens of a sequence
    uint32_t GetSequence() const
    {
        return m_sequence;
    }

    /**
     * \param replicas number of replicas of the model
     * \return micro-batches of each replica in an iteration
     * \throws ConfigurationError with the key when replicas and micro-batches do not divide the
     *     batch
     */
    uint32_t GetMicrobatches(uint32_t replicas) const;

  private:
    uint32_t m_micro;
    uint32_t m_global;
    uint32_t m_sequence;
};

} // namespace ns3::rails

#endif // TRAINING_BATCH_H
