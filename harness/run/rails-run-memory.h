// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_MEMORY_H
#define RAILS_RUN_MEMORY_H

#include "ns3/rails-engine-choice.h"
#include "ns3/rails-run-settings.h"
#include "ns3/rails-run-size.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/**
 * Estimates the largest resident memory of a run: within a factor of two from 64 to 4,096 GPUs, see
 * bench/memory.txt.
 * \param setting the cluster from the view of the workload
 * \param traffic of the workload
 * \param [in,out] size gets the bytes, and the key that lowers them most
 */
void EstimateRunMemory(const RunSettings& settings,
                       const Wiring& wiring,
                       const Workload& workload,
                       const WorkloadSetting& setting,
                       const ExpectedTraffic& traffic,
                       RunSize& size);

/// \return a memory size for people: "310 MiB", "2.5 GiB", "25 GiB"
std::string FormatMemorySize(double bytes);

/**
 * \param size of a run
 * \param limit available bytes; 0 when unknown
 * \return an error with the remedy; empty when the run fits
 */
std::string DescribeLack(const RunSize& size, uint64_t limit);

/**
 * \param root of the file system
 * \return bytes that this process can allocate now, within the limits of the machine and of its
 * control groups; 0 when unknown
 */
uint64_t FindAvailableMemory(const std::string& root = "/");

} // namespace ns3::rails

#endif // RAILS_RUN_MEMORY_H
