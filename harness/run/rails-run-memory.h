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
 * \param settings of the run
 * \param wiring its cluster
 * \param workload what it does
 * \param setting the cluster as the workload sees it
 * \param traffic what it sends
 * \param [in,out] size gets the bytes, and the key that lowers them most
 */
void EstimateRunMemory(const RunSettings& settings,
                       const Wiring& wiring,
                       const Workload& workload,
                       const WorkloadSetting& setting,
                       const ExpectedTraffic& traffic,
                       RunSize& size);

/// \return a number of bytes for people: "310 MiB", "2.5 GiB", "25 GiB"
std::string FormatMemorySize(double bytes);

/**
 * \param size of a run
 * \param limit bytes that there are for it; 0 when nobody can tell
 * \return what is wrong with that, and what to do; empty when it fits
 */
std::string DescribeLack(const RunSize& size, uint64_t limit);

/**
 * \param root of the file system
 * \return bytes that a process can get now, by the machine and by the control groups that it is in;
 * 0 when that cannot be told
 */
uint64_t FindAvailableMemory(const std::string& root = "/");

} // namespace ns3::rails

#endif // RAILS_RUN_MEMORY_H
