// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERIMENT_SETTINGS_H
#define EXPERIMENT_SETTINGS_H

#include "ns3/rails-experiment.h"
#include "ns3/rails-run-settings.h"

namespace ns3::rails
{

/// \return the settings of the run of an experiment
RunSettings MakeRunSettings(const Experiment& experiment);

} // namespace ns3::rails

#endif // EXPERIMENT_SETTINGS_H
