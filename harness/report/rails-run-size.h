// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_SIZE_H
#define RAILS_RUN_SIZE_H

#include <string>

namespace ns3::rails
{

/// How large a run is; only runs of the same engine can be compared.
struct RunSize
{
    std::string engine; //!< its type: "frames"
    /// How long it takes, about, as far as that can be told from a descriptor, on a machine of
    /// 2020. How long runs really take is in proportion to it. 0 when nobody can tell.
    double seconds{0};
    std::string kind{};      //!< types of workload and balance: runs that share it are most alike
    double memoryBytes{0};   //!< that it takes, about; 0 when nobody can tell
    std::string memoryKey{}; //!< of the descriptor, which lowers that most
    std::string memoryRemedy{}; //!< what to do with it: "set record.messages to false"
};

} // namespace ns3::rails

#endif // RAILS_RUN_SIZE_H
