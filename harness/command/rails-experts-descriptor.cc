// SPDX-License-Identifier: GPL-2.0-only
#include "rails-experts-descriptor.h"

#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-yaml-tree.h"
#include "ns3/routing-trace.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>

namespace ns3::rails
{

namespace
{

constexpr const char* kSource = "./rails experts --print";

constexpr const char* kLoadBase = "ns3::rails::TokenLoad";
// Keys of loads whose words are names of loads.
constexpr const char* kPresets = "experts.load.preset";
constexpr const char* kRecordedLoads = "experts.load.workload";

/// \return a text in quotes as YAML has them
std::string
QuoteForYaml(const std::string& text)
{
    std::string quoted = "'";
    for (const char letter : text)
    {
        quoted += letter == '\'' ? "''" : std::string(1, letter);
    }
    return quoted + "'";
}

/// \return true for a component that is written out, not named
bool
IsWhole(const std::string& text)
{
    return !text.empty() && text.front() == '{';
}

/// \return the components that have a key
std::vector<DottedKey::Owner>
FindOwners(const std::string& path)
{
    for (const DottedKey& key : ListDottedKeys())
    {
        if (key.path == path)
        {
            return key.owners;
        }
    }
    return {};
}

/// \return the words that a key of studies can be
std::vector<std::string>
GetWords(const std::string& path)
{
    std::vector<std::string> words;
    for (const DottedKey::Owner& owner : FindOwners(path))
    {
        const std::vector<std::string> own = owner.key.kind->GetWords(owner.key.attribute);
        words.insert(words.end(), own.begin(), own.end());
    }
    return words;
}

bool
HasWord(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// \return the component that a load of the command line stands for
std::string
MakeLoad(const std::string& load)
{
    if (IsWhole(load))
    {
        return load;
    }
    std::string word = load;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    if (HasWord(GetWords(kPresets), word))
    {
        return "{type: synthetic, preset: " + word + "}";
    }
    if (HasWord(GetWords(kRecordedLoads), word))
    {
        return "{type: imbalance, workload: " + word + "}";
    }
    const TypeId base = TypeId::LookupByName(kLoadBase);
    for (const ComponentType& type : GetComponentTypes(base))
    {
        if (type.IsCalled(load))
        {
            return "{type: " + load + "}";
        }
    }
    throw DescriptorError({"--load", 0, 0},
                          "unknown load '" + load + "'" + SuggestName(load, ListStudyLoads()) +
                              "; one of your own needs --with DIR");
}

/// \return the component that a policy of the command line stands for
std::string
MakePolicy(const std::string& policy, const std::optional<uint32_t>& slots)
{
    if (IsWhole(policy))
    {
        return policy;
    }
    bool hasSlots = false;
    for (const ComponentType& type :
         GetComponentTypes(TypeId::LookupByName("ns3::rails::ExpertPolicy")))
    {
        const std::vector<ComponentKey>& keys = GetComponentKeys(type.id);
        hasSlots = hasSlots || (type.IsCalled(policy) &&
                                std::any_of(keys.begin(), keys.end(), [](const auto& key) {
                                    return key.name == "slots";
                                }));
    }
    return "{type: " + policy +
           (slots && hasSlots ? ", slots: " + std::to_string(*slots) : std::string()) + "}";
}

/// Values of the section by key, in the order in which they are written.
class SectionValues
{
  public:
    /// Sets a value, unless the key has one.
    void Add(const std::string& key, const std::string& value)
    {
        if (Get(key).empty())
        {
            m_values.emplace_back(key, value);
        }
    }

    void Add(const std::string& key, uint64_t value)
    {
        Add(key, std::to_string(value));
    }

    /// \return the value of a key, empty without one
    std::string Get(const std::string& key) const
    {
        const auto found = std::find_if(m_values.begin(), m_values.end(), [&](const auto& known) {
            return known.first == key;
        });
        return found == m_values.end() ? "" : found->second;
    }

    /// \return the section, keys of the model gathered in one map
    std::string Format() const
    {
        const std::string inner = "model.";
        std::string model;
        std::string others;
        for (const auto& [key, value] : m_values)
        {
            if (key.compare(0, inner.size(), inner) == 0)
            {
                model += (model.empty() ? "" : ", ") + key.substr(inner.size()) + ": " + value;
            }
            else
            {
                others += "  " + key + ": " + value + "\n";
            }
        }
        return "experts:\n" + (model.empty() ? "" : "  model: {" + model + "}\n") + others;
    }

  private:
    std::vector<std::pair<std::string, std::string>> m_values;
};

/// Takes from a trace what has not been said otherwise: all that there is.
void
AddTrace(const std::string& path, SectionValues& values)
{
    constexpr uint32_t usualTopK = 2;
    try
    {
        const std::shared_ptr<const RoutingTrace> trace = RoutingTrace::Read(path);
        const uint32_t ranks = trace->CountRanks();
        uint64_t most = 0; // that a rank has
        for (const auto& row : trace->ReadTokens(trace->FindPlace({0, 0, 0}), ranks, "it"))
        {
            most = std::max(most, std::accumulate(row.begin(), row.end(), uint64_t{0}));
        }
        values.Add("model.experts", trace->GetExperts());
        values.Add("model.top_k", usualTopK);
        values.Add("gpus", ranks);
        // Read back, as the user may have said how many experts a token goes to.
        values.Add("tokens", most / std::max(1ULL, std::stoull(values.Get("model.top_k"))));
        const auto& [iterations, layers, microbatches] = trace->CountRecorded();
        values.Add("iterations", iterations);
        values.Add("warm_up", uint64_t{0});
        values.Add("layers", layers);
        values.Add("microbatches", microbatches);
        values.Add("load",
                   "{type: trace, path: " + QuoteForYaml(std::filesystem::absolute(path).string()) +
                       "}");
    }
    catch (const ConfigurationError& error)
    {
        throw DescriptorError({"--trace", 0, 0}, error.what());
    }
}

/// Takes a model from the command line: its type, or a component that is written out.
void
AddModel(const std::string& model, SectionValues& values)
{
    const Place place{"--model", 0, 0};
    if (!IsWhole(model))
    {
        values.Add("model.type", model);
        return;
    }
    for (const YamlEntry& entry : ParseYaml(model, place.source, false).entries)
    {
        if (entry.value.kind != YamlNode::Kind::Scalar)
        {
            throw DescriptorError(place,
                                  entry.key + " is " + entry.value.Describe() +
                                      "; keys of models have one value");
        }
        values.Add("model." + entry.key, entry.value.text);
    }
}

SectionValues
MakeSection(const ExpertsOptions& question)
{
    SectionValues values;
    if (!question.model.empty())
    {
        AddModel(question.model, values);
    }
    for (const auto& [key, number] : question.numbers)
    {
        const std::string known = values.Get(key);
        if (!known.empty() && known != std::to_string(number))
        {
            std::string option = key.substr(key.find('.') + 1);
            std::replace(option.begin(), option.end(), '_', '-');
            throw DescriptorError({"--model", 0, 0},
                                  key + " is " + known + " here, and " + std::to_string(number) +
                                      " by --" + option + ": leave out one of them");
        }
        values.Add(key, number);
    }
    if (!question.budget.empty())
    {
        values.Add("budget", question.budget);
    }
    if (!question.trace.empty())
    {
        AddTrace(question.trace, values);
    }
    if (!values.Get("model.experts").empty())
    {
        // Those of the model need not divide them.
        values.Add("model.expert_groups", 1);
        values.Add("model.top_groups", 1);
    }
    if (question.loads.size() == 1)
    {
        values.Add("load", MakeLoad(question.loads.front()));
    }
    return values;
}

/// \return a list of the values of an axis
std::string
FormatAxis(const std::string& key, const std::vector<std::string>& values)
{
    std::string text = "  " + key + ":\n";
    for (const std::string& value : values)
    {
        text += "    - " + value + "\n";
    }
    return text;
}

/// \return the first line of a message without the place that it begins with
std::string
FindReason(const std::string& message)
{
    const std::string mark = "error: ";
    const std::size_t begins = message.find(mark);
    const std::string reason =
        begins == std::string::npos ? message : message.substr(begins + mark.size());
    return reason.substr(0, reason.find('\n'));
}

} // namespace

std::vector<std::string>
ListStudyLoads()
{
    std::vector<std::string> loads = GetWords(kPresets);
    for (const std::vector<std::string>& more :
         {GetWords(kRecordedLoads), GetComponentTypeNames(TypeId::LookupByName(kLoadBase))})
    {
        loads.insert(loads.end(), more.begin(), more.end());
    }
    return loads;
}

std::string
CheckStudyNumber(const std::string& path, const std::string& text)
{
    YamlNode node;
    node.kind = YamlNode::Kind::Scalar;
    node.text = text;
    std::map<std::string, std::vector<std::string>> ranges; // with the types that have them
    for (const DottedKey::Owner& owner : FindOwners(path))
    {
        try
        {
            owner.key.kind->Read(owner.key.attribute, node, "");
            return "";
        }
        catch (const DescriptorError&)
        {
            ranges[owner.key.kind->DescribeRange(owner.key.attribute)].push_back(owner.type.name);
        }
    }
    std::string allowed;
    for (const auto& [range, types] : ranges)
    {
        allowed += (allowed.empty() ? "" : "; ") + range +
                   (ranges.size() > 1 ? " (" + JoinNames(types) + ")" : "");
    }
    return "'" + text + "' is out of range or no count; allowed: " + allowed;
}

ExpertsDescriptor
MakeExpertsDescriptor(const ExpertsOptions& question, const ExperimentCheck& check)
{
    const std::string head = "name: experts\n" + MakeSection(question).Format();
    const bool choosesAll = question.policies.empty();
    std::vector<std::string> names = question.policies;
    if (choosesAll)
    {
        names = GetComponentTypeNames(TypeId::LookupByName("ns3::rails::ExpertPolicy"));
    }
    std::string tail;
    if (question.loads.size() > 1)
    {
        std::vector<std::string> loads;
        std::transform(question.loads.begin(),
                       question.loads.end(),
                       std::back_inserter(loads),
                       MakeLoad);
        tail += FormatAxis("experts.load", loads);
    }
    if (question.seeds > 1)
    {
        tail += "  repeat: " + std::to_string(question.seeds) + "\n";
    }
    const auto findFault = [&](const std::string& policy) {
        try
        {
            const std::string axis = FormatAxis("experts.policy", {policy});
            Descriptor::FromText(head + "sweep:\n" + axis + tail, kSource, {}, check);
            return std::string();
        }
        catch (const DescriptorError& error)
        {
            return FindReason(error.what());
        }
    };
    ExpertsDescriptor descriptor;
    if (!question.trace.empty() && question.model.empty())
    {
        descriptor.notes.push_back("a trace has no model: bytes and times are those of experts of "
                                   "deepseek-v3; --model takes those of another");
    }
    std::vector<std::string> policies;
    for (const std::string& name : names)
    {
        const std::string asked = MakePolicy(name, question.slots);
        const std::string usual = MakePolicy(name, std::nullopt);
        const std::string fault = choosesAll ? findFault(asked) : "";
        if (fault.empty())
        {
            policies.push_back(asked);
        }
        else if (usual != asked && findFault(usual).empty())
        {
            policies.push_back(usual);
            descriptor.notes.push_back("with its own number of slots: " + name + ": " + fault);
        }
        else
        {
            descriptor.notes.push_back("left out: " + name + ": " + fault);
        }
    }
    // An error of all policies is not about a policy, so it is reported unchanged.
    descriptor.text =
        head + "sweep:\n" +
        FormatAxis("experts.policy",
                   policies.empty() ? std::vector<std::string>{"plain-ep"} : policies) +
        tail;
    Descriptor::FromText(descriptor.text, kSource, {}, check);
    return descriptor;
}

} // namespace ns3::rails
