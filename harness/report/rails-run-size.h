// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_SIZE_H
#define RAILS_RUN_SIZE_H

#include <string>

namespace ns3::rails
{

/// Estimated size of a run; only comparable between runs of the same engine.
struct RunSize
{
    std::string engine; //!< its type: "frames"
    /// Estimated wall-clock time on a machine of 2020, from the descriptor. Actual times are
    /// proportional to it. 0 when unknown.
    double seconds{0};
    std::string kind{};         //!< types of workload and balance; the most similar runs share it
    double memoryBytes{0};      //!< estimated peak memory; 0 when unknown
    std::string memoryKey{};    //!< key of the descriptor that lowers memoryBytes most
    std::string memoryRemedy{}; //!< "set record.messages to false"
};

} // namespace ns3::rails

#endif // RAILS_RUN_SIZE_H
