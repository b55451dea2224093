// SPDX-License-Identifier: GPL-2.0-only
#include "rails-point-failure.h"

#include "ns3/rails-result-writer.h"
#include "ns3/rails-shell-word.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace ns3::rails
{

void
RecordFailure(const PointFailure& failure,
              const PlannedPoint& planned,
              const Descriptor& descriptor,
              const RunOptions& options,
              const SweepFolder& folder)
{
    const Experiment experiment = descriptor.MakeExperiment(planned.point);
    const std::string place =
        std::filesystem::absolute(folder.GetPointFolder(planned.name)).string();
    nlohmann::ordered_json json;
    json["point"] = planned.name;
    json["key"] = planned.key;
    json["status"] = failure.status;
    json["reason"] = failure.reason;
    json["attempts"] = failure.attempts;
    json["command"] = options.command + " --point " + QuoteForShell(planned.name) + " --out " +
                      QuoteForShell(place) + " --force";
    json["last_lines"] = failure.lastLines;
    json["wall_s"] = failure.seconds;
    json["seed"] = experiment.seed;
    WriteNames(experiment.axes, experiment.labels, json);
    json["version"] = MakeVersionJson(planned.version);
    json["config"] = nlohmann::ordered_json::parse(experiment.effective);
    folder.WriteFailure(planned.name, json);
}

} // namespace ns3::rails
