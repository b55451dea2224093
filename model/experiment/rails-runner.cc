// SPDX-License-Identifier: GPL-2.0-only
#include "rails-runner.h"

#include "rails-point-run.h"
#include "rails-result-writer.h"
#include "rails-summary-table.h"
#include "rails-sweep-run.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

int
RunSingle(const Descriptor& descriptor, const RunOptions& options, const ScenarioFunction& scenario)
{
    int status = 0;
    {
        ProgressLine line;
        status = RunPoint(descriptor, 0, options, scenario, [&](const RunProgress& progress) {
            line.Show(progress);
        });
    }
    const nlohmann::json json = ReadResultJson(options.folder);
    if (status != static_cast<int>(RunStatus::BadDescriptor) && !json.is_discarded())
    {
        for (const auto& note : json.value("notes", std::vector<std::string>()))
        {
            std::cout << note << '\n';
        }
        std::cout << FormatSummary({{descriptor.GetName(), json}}) << "result: " << options.folder
                  << std::endl;
    }
    return status;
}

} // namespace

int
RunDescriptor(const Descriptor& descriptor,
              const RunOptions& options,
              const ScenarioFunction& scenario)
{
    if (descriptor.IsSweep())
    {
        return SweepRun(descriptor, options, scenario).Run();
    }
    return RunSingle(descriptor, options, scenario);
}

} // namespace ns3::rails
