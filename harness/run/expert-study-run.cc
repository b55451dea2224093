// SPDX-License-Identifier: GPL-2.0-only
#include "expert-study-run.h"

#include "expert-study.h"

#include "ns3/expert-budget.h"
#include "ns3/expert-study-simulation.h"
#include "ns3/load-history.h"
#include "ns3/placement-table.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-streams.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr const char* kSection = "experts";

/// \return the processor, and the day in UTC
std::string
DescribeMachine()
{
    std::string processor = "an unknown processor";
    std::ifstream known("/proc/cpuinfo");
    for (std::string line; std::getline(known, line);)
    {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
        {
            processor = line.substr(colon + 2);
            std::replace(processor.begin(), processor.end(), ',', ';'); // a field of a plain CSV
            break;
        }
    }
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    gmtime_r(&now, &day);
    std::ostringstream text;
    text << processor << " on " << std::put_time(&day, "%Y-%m-%d");
    return text.str();
}

/// \return the notes on a study
std::vector<std::string>
ListNotes(const ExpertStudy& study, const ExpertStudyPlan& plan, const ExpertStudyOutcome& outcome)
{
    const ExpertPolicy& policy = *study.GetPolicy();
    std::vector<std::string> notes;
    const auto add = [&notes](const std::string& note) {
        if (!note.empty())
        {
            notes.push_back(note);
        }
    };
    if (policy.GetTraits().isOracle)
    {
        add("the policy, perfect-balance (oracle in earlier versions), balances computing as no "
            "real system can");
    }
    add(policy.DescribePlanning());
    add(policy.DescribeOrigin());
    if (plan.warmUp == 0 && policy.LearnsFromIterations())
    {
        add("the policy knows no loads before the first iteration, in which it does nothing: set "
            "warm_up");
    }
    for (const std::string& note : ListHistoryNotes(outcome.lookBack,
                                                    plan.warmUp,
                                                    plan.iterations,
                                                    study.GetLoad()->CountIterations()))
    {
        add(note);
    }
    add(DescribeOverrun("budget", plan.budget, outcome.memory));
    if (outcome.droppedTokens > 0)
    {
        add("tokens are dropped (dropped_share), which no other policy is allowed: less load is "
            "not better balance");
    }
    return notes;
}

} // namespace

bool
IsExpertStudy(const Experiment& experiment)
{
    return experiment.sections.count(kSection) > 0;
}

void
CheckExpertStudy(const Experiment& experiment)
{
    CheckNested(kSection, [&] { experiment.Get<ExpertStudy>(kSection)->Check(); });
}

RunSize
EstimateExpertStudy(const Experiment& experiment)
{
    constexpr double perToken = 1e-9;
    const Ptr<ExpertStudy> study = experiment.Get<ExpertStudy>(kSection);
    return {kSection, perToken * study->EstimateTokens(), ""};
}

Result
RunExpertStudy(const Experiment& experiment)
{
    const Ptr<ExpertStudy> study = experiment.Get<ExpertStudy>(kSection);
    const ExpertStudyPlan plan = study->MakePlan();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    study->GetLoad()->AssignStreams(kWorkloadStreams);
    study->GetLoad()->Start();
    study->GetPolicy()->AssignStreams(kBalancerStreams);
    std::optional<PlacementTable> placement;
    TakeCopies takeCopies;
    if (study->WantsPlacement())
    {
        placement.emplace(experiment.workFolder);
        takeCopies = [&placement](uint32_t iteration, uint32_t layer, const auto& copies) {
            placement->Add(iteration, layer, copies);
        };
    }
    ExpertStudyOutcome outcome =
        SimulateExpertStudy(plan, study->GetPolicy(), study->GetLoad(), takeCopies);
    if (placement)
    {
        placement->Close();
    }
    Result result;
    result.engine = kSection;
    result.writesMessages = false;
    result.writesLinks = false;
    result.fingerprint = outcome.fingerprint;
    if (!outcome.defect.empty())
    {
        result.status = RunStatus::InvariantBroken;
        result.report = "a plan cannot be right: " + outcome.defect;
    }
    result.notes = ListNotes(*study, plan, outcome);
    if (!outcome.record.plans.empty())
    {
        outcome.record.measuredOn = DescribeMachine();
    }
    result.expertStudy = std::move(outcome.record);
    return result;
}

} // namespace ns3::rails
