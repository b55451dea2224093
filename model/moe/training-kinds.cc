// SPDX-License-Identifier: GPL-2.0-only
#include "training-kinds.h"

namespace ns3::rails
{

const std::vector<std::string>&
GetTrainingKindNames()
{
    static const std::vector<std::string> names{"attention",
                                                "gate",
                                                "experts",
                                                "shared-experts",
                                                "dense",
                                                "head",
                                                "optimizer",
                                                "dispatch",
                                                "combine",
                                                "combine-backward",
                                                "dispatch-backward",
                                                "tensor",
                                                "context",
                                                "pipeline",
                                                "expert-tensor",
                                                "data",
                                                "expert-data",
                                                "expert-planning",
                                                "expert-counts",
                                                "expert-moves",
                                                "expert-weights",
                                                "expert-gradients",
                                                "reconfiguration"};
    return names;
}

} // namespace ns3::rails
