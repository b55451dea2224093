// SPDX-License-Identifier: GPL-2.0-only
#include "rails-point-failure.h"

#include "ns3/published-path.h"
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
    const std::filesystem::path here = std::filesystem::current_path();
    const auto publish = [&here](const std::string& text) { return PublishText(text, here); };
    nlohmann::ordered_json json;
    json["point"] = planned.name;
    json["key"] = planned.key;
    json["status"] = failure.status;
    json["reason"] = publish(failure.reason);
    json["attempts"] = failure.attempts;
    const std::string place = PublishPath(folder.GetPointFolder(planned.name), here);
    json["command"] = publish(options.command) + " --point " + QuoteForShell(planned.name) +
                      " --out " + QuotePath(place) + " --force";
    json["last_lines"] = nlohmann::ordered_json::array();
    for (const std::string& line : failure.lastLines)
    {
        json["last_lines"].push_back(publish(line));
    }
    json["wall_s"] = failure.seconds;
    json["seed"] = experiment.seed;
    WriteNames(experiment.axes, experiment.labels, json);
    json["version"] = MakeVersionJson(planned.version);
    json["config"] = nlohmann::ordered_json::parse(experiment.resolvedConfig);
    folder.WriteFailure(planned.name, json);
}

} // namespace ns3::rails
