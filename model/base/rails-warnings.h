// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WARNINGS_H
#define RAILS_WARNINGS_H

#include <string>

namespace ns3::rails
{

/// Something that an experiment may well do, and that is hardly ever meant.
struct ExperimentWarning
{
    std::string key;     //!< path of the key from the top of the descriptor
    std::string message; //!< what follows from it, and the remedy
};

} // namespace ns3::rails

#endif // RAILS_WARNINGS_H
