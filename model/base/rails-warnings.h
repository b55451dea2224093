// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WARNINGS_H
#define RAILS_WARNINGS_H

#include <string>

namespace ns3::rails
{

/// A valid setting of an experiment that is hardly ever meant.
struct ExperimentWarning
{
    std::string key;     //!< path of the key from the top of the descriptor
    std::string message; //!< names the consequence and the remedy
};

} // namespace ns3::rails

#endif // RAILS_WARNINGS_H
