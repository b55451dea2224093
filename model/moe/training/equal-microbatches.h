// SPDX-License-Identifier: GPL-2.0-only
#ifndef EQUAL_MICROBATCHES_H
#define EQUAL_MICROBATCHES_H

#include "ns3/training-spec.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return reason why micro-batches of a training differ from each other; empty if all are equal
std::string FindWhyUnlike(const TrainingSpec& spec);

/// \return period of the loads in micro-batches, if FindWhyUnlike() is empty
uint32_t FindLoadCycle(const TrainingSpec& spec);

/// \return period of loads and of the order of passes, in micro-batches
uint32_t FindCycle(const TrainingSpec& spec);

/// \return most micro-batches in flight at once
uint32_t CountUnderWay(const TrainingSpec& spec);

/// Slots of a stage that are the same for any number of micro-batches: the last of these slots.
struct RepeatedSlots
{
    std::size_t first;
    std::size_t end;
    uint32_t perMicrobatch;
};

/// \return repeated slots of each stage, for the same number of micro-batches
std::vector<RepeatedSlots> ListRepeatedSlots(const TrainingSpec& spec);

} // namespace ns3::rails

#endif // EQUAL_MICROBATCHES_H
