// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERIMENT_SETTINGS_H
#define EXPERIMENT_SETTINGS_H

#include "ns3/rails-experiment.h"
#include "ns3/rails-run-settings.h"

namespace ns3::rails
{

/// \return how the cluster of an experiment runs what it is to do
RunSettings MakeRunSettings(const Experiment& experiment);

} // namespace ns3::rails

#endif // EXPERIMENT_SETTINGS_H
