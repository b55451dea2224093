// SPDX-License-Identifier: GPL-2.0-only
#ifndef EQUAL_MICROBATCHES_H
#define EQUAL_MICROBATCHES_H

#include "ns3/training-plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return why micro-batches of a training differ from each other; empty: they do not
std::string FindWhyUnlike(const TrainingPlan& plan);

/// \return micro-batches after which loads are as before; of a training where FindWhyUnlike() has
/// nothing to say
uint32_t FindLoadCycle(const TrainingPlan& plan);

/// \return micro-batches after which all is as before: loads, and the order of passes
uint32_t FindCycle(const TrainingPlan& plan);

/// \return micro-batches that are under way at once, at most
uint32_t CountUnderWay(const TrainingPlan& plan);

/// Slots of a stage that do not depend on how many micro-batches there are, the last ones of these.
struct RepeatedSlots
{
    std::size_t first;
    std::size_t end;
    uint32_t perMicrobatch;
};

/// \return those of each stage, of equally many micro-batches
std::vector<RepeatedSlots> ListRepeatedSlots(const TrainingPlan& plan);

} // namespace ns3::rails

#endif // EQUAL_MICROBATCHES_H
