// SPDX-License-Identifier: GPL-2.0-only
#include "graph-stage.h"
#include "rails-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-quantity.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `graph`: stages that all GPUs execute, iteration after iteration.
class GraphWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;

    void CheckBarriers(TimePs longest) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    bool MovesOther() const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    double SumStages(const std::function<double(const GraphStage&)>& measure) const;

    std::vector<Ptr<GraphStage>> m_stages;
    uint32_t m_iterations;
};

NS_OBJECT_ENSURE_REGISTERED(GraphWorkload);

namespace
{

/// A stage with this name would be no stage.
const std::string kStart = "start";

/// \return the given name, or the name of the type without one
std::string
GetStageName(const GraphStage& component)
{
    if (!component.GetName().empty())
    {
        return component.GetName();
    }
    // "ns3::rails::AllReduceGraphStage" is called "all-reduce".
    const std::string type = component.GetInstanceTypeId().GetName();
    const std::size_t begin = type.rfind(':') + 1;
    std::string name;
    for (const char letter : type.substr(begin, type.rfind("GraphStage") - begin))
    {
        const bool isUpper = letter >= 'A' && letter <= 'Z';
        name += isUpper && !name.empty() ? "-" : "";
        name += isUpper ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    return name;
}

/// \return the index of a stage; throws ConfigurationError for an unknown name
std::size_t
FindIndex(const std::vector<Stage>& stages, const std::string& name)
{
    std::string known;
    for (std::size_t index = 0; index < stages.size(); ++index)
    {
        if (stages[index].name == name)
        {
            return index;
        }
        known += stages[index].name + ", ";
    }
    throw ConfigurationError("after",
                             "no stage before this one is called '" + name + "'; known: " + known +
                                 kStart);
}

/// \return indices of the stages that must end before a stage
std::vector<std::size_t>
FindAfter(const GraphStage& component, const std::vector<Stage>& earlier)
{
    std::vector<std::size_t> after;
    if (component.GetAfter().empty() && !earlier.empty())
    {
        after.push_back(earlier.size() - 1);
    }
    for (const std::string& name : component.GetAfter())
    {
        if (name != kStart)
        {
            after.push_back(FindIndex(earlier, name));
        }
    }
    return after;
}

} // namespace

TypeId
GraphWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::GraphWorkload").SetParent<Workload>(),
            "Stages of computing and of communication that overlap: a GPU begins a stage when "
            "it has ended those that the stage is after, whatever other GPUs do.")
            .SetGroupName("Rails")
            .AddConstructor<GraphWorkload>()
            .AddAttribute("Stages",
                          "What every GPU does in an iteration.",
                          StringValue("ns3::rails::ComputeGraphStage; "
                                      "ns3::rails::AllReduceGraphStage"),
                          MakeComponentListAccessor(&GraphWorkload::m_stages),
                          MakeComponentListChecker<GraphStage>("stage"))
            .AddAttribute("Iterations",
                          "How often the stages are gone through.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&GraphWorkload::m_iterations),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

void
GraphWorkload::DoDispose()
{
    m_stages.clear();
    Workload::DoDispose();
}

void
GraphWorkload::Check(const WorkloadSetting& setting) const
{
    if (m_stages.empty())
    {
        throw ConfigurationError("stages", "expected at least one stage");
    }
    std::vector<Stage> earlier; // with the data that other stages check, but without matrices
    for (std::size_t index = 0; index < m_stages.size(); ++index)
    {
        CheckNested("stages." + std::to_string(index), [&] {
            const GraphStage& component = *m_stages[index];
            const std::string name = GetStageName(component);
            if (name == kStart)
            {
                throw ConfigurationError("name", "'start' stands for none of the stages");
            }
            for (const Stage& other : earlier)
            {
                if (other.name == name)
                {
                    throw ConfigurationError("name",
                                             "another stage is called '" + name +
                                                 "', too: give this one a name of its own");
                }
            }
            FindAfter(component, earlier);
            component.Check(setting, earlier);
            Stage known;
            known.name = name;
            known.isDataDependent = DynamicCast<ExchangeGraphStage>(m_stages[index]) != nullptr;
            earlier.push_back(known);
        });
    }
    uint64_t steps = 0;
    for (const Ptr<GraphStage>& stage : m_stages)
    {
        steps += stage->CountSteps(setting);
    }
    const uint64_t most = std::numeric_limits<uint32_t>::max() / steps;
    if (m_iterations > most)
    {
        throw ConfigurationError("iterations",
                                 "expected at most " + std::to_string(most) + " with " +
                                     std::to_string(steps) + " steps of transfers in each");
    }
    double time = 0;
    for (const Ptr<GraphStage>& stage : m_stages)
    {
        time += static_cast<double>(stage->GetTime()) * m_iterations;
    }
    constexpr double kLongest = 4e18; // ps; times end at 2^63 ps
    if (time > kLongest || EstimateBytes(setting) > kLongest)
    {
        throw ConfigurationError("iterations",
                                 "all together compute for more than 46 days, or move more than "
                                 "4 exabytes");
    }
    if (m_stages.size() > std::numeric_limits<uint16_t>::max())
    {
        throw ConfigurationError("stages", "expected at most 65535 stages");
    }
}

void
GraphWorkload::CheckBarriers(TimePs longest) const
{
    for (std::size_t index = 0; index < m_stages.size(); ++index)
    {
        const Ptr<BarrierGraphStage> barrier = DynamicCast<BarrierGraphStage>(m_stages[index]);
        if (barrier && barrier->GetTime() < longest)
        {
            throw ConfigurationError("stages." + std::to_string(index) + ".delay",
                                     "servers learn of each other over the network: expected at "
                                     "least " +
                                         FormatTime(longest) +
                                         ", the longest propagation of a cable");
        }
    }
}

std::shared_ptr<const GraphProgram>
GraphWorkload::MakeProgram(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    std::vector<Stage> stages;
    for (const Ptr<GraphStage>& component : m_stages)
    {
        Stage stage = component->Make(setting, stages);
        stage.name = GetStageName(*component);
        stage.after = FindAfter(*component, stages);
        stages.push_back(std::move(stage));
    }
    return std::make_shared<const StageProgram>(shape, std::move(stages), m_iterations);
}

bool
GraphWorkload::MovesOther() const
{
    return true;
}

double
GraphWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    return SumStages([&](const GraphStage& stage) { return stage.EstimateBytes(setting); });
}

double
GraphWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    return SumStages([&](const GraphStage& stage) { return stage.EstimateMessages(setting); });
}

/// \return sum over all stages of all iterations; a stage with GetOriginal() counts like its
/// original
double
GraphWorkload::SumStages(const std::function<double(const GraphStage&)>& measure) const
{
    double sum = 0;
    std::map<std::string, double> known; // by stage
    for (const Ptr<GraphStage>& stage : m_stages)
    {
        const std::string& original = stage->GetOriginal();
        const double measured = original.empty() ? measure(*stage) : known.at(original);
        known[GetStageName(*stage)] = measured;
        sum += measured;
    }
    return sum * m_iterations;
}

int64_t
GraphWorkload::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const Ptr<GraphStage>& stage : m_stages)
    {
        used += stage->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3::rails
