// SPDX-License-Identifier: GPL-2.0-only
#include "rails-descriptor-costs.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-error.h"
#include "ns3/rails-fabric-parts.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-summary-table.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace ns3::rails
{

namespace
{

using Json = nlohmann::ordered_json;
using KeyTest = std::function<bool(const std::string&, const Json&)>;

/// Adds the paths of keys below a part of a configuration that pass a test with their values.
void
FindKeys(const Json& node,
         const std::string& path,
         std::vector<std::string>& found,
         const KeyTest& test)
{
    std::size_t index = 0;
    for (auto entry = node.begin(); entry != node.end(); ++entry)
    {
        const std::string key = node.is_object() ? entry.key() : std::to_string(index++);
        const std::string inner = path + "." + key;
        if (entry->is_structured() && key != "intra") // no fabric is in there
        {
            FindKeys(*entry, inner, found, test);
        }
        else if (test(key, *entry))
        {
            found.push_back(inner);
        }
    }
}

/// \return the path of the one key that gives cables their rate; of the topology when it can be
/// several
std::string
FindRateKey(const Json& topology, uint64_t rate)
{
    const std::string top = "topology";
    std::vector<std::string> found;
    FindKeys(topology, top, found, [&](const std::string& key, const Json& value) {
        return (key == "nic_rate" || key == "uplink_rate" || key == "rate") &&
               value == FormatRate(rate);
    });
    if (found.empty()) // a fat-tree divides the rate of the NICs
    {
        FindKeys(topology, top, found, [](const std::string& key, const Json& value) {
            return (key == "edge_oversubscription" || key == "core_oversubscription") && value > 1;
        });
    }
    return found.size() == 1 ? found.front() : top;
}

[[noreturn]] void
RefusePrice(const PriceError& error, const std::string& of, uint64_t rate, const Json& topology)
{
    throw ConfigurationError(FindRateKey(topology, rate),
                             error.GetDiagnostics().front().message + "; " + of + " have this " +
                                 "rate: choose another, or give --prices a file with its price "
                                 "(./rails cost --print prints one to begin with)");
}

TopologyCost
CountWiring(const FabricParts& parts, const Json& topology, const FabricPrices& prices)
{
    TopologyCost counted;
    for (const FabricDevices& each : parts.devices)
    {
        if (std::find(counted.rates.begin(), counted.rates.end(), each.rateBps) ==
            counted.rates.end())
        {
            counted.rates.push_back(each.rateBps);
        }
        try
        {
            counted.cost.devices.push_back({each.device,
                                            static_cast<double>(each.number),
                                            prices.FindPrice(each.device, each.rateBps)});
        }
        catch (const PriceError& error)
        {
            RefusePrice(error, "cables from " + each.cables, each.rateBps, topology);
        }
    }
    counted.cost.gpus = static_cast<double>(parts.servers) * parts.gpus;
    return counted;
}

/// \return the paper's fabric for a topology \throws ConfigurationError when it has none
std::string
FindPaperFabric(const FabricParts& parts, const Json& topology)
{
    const std::string type = topology.at("type");
    if (type == "fat-tree")
    {
        return type;
    }
    if (type == "rail")
    {
        return topology.at("spines") > 0 ? "rail-optimized" : "rail-only";
    }
    if (type == "patch-panel")
    {
        return "topoopt";
    }
    if (type == "nic-groups" && parts.opticalNics > 0 && !parts.hasPanel)
    {
        return "mixnet";
    }
    throw ConfigurationError(
        "topology.type",
        "MixNet's paper has no rule for " + type +
            (type == "nic-groups" ? " without an optical fabric beside one of switches" : "") +
            ", only for fat-tree, rail, patch-panel, and nic-groups with an "
            "optical fabric; --rule wiring counts every topology");
}

TopologyCost
CountByPaper(const FabricParts& parts, const Json& topology, const FabricPrices& prices)
{
    const std::string fabric = FindPaperFabric(parts, topology);
    if (parts.nicRates.size() > 1)
    {
        throw ConfigurationError("topology",
                                 "NICs of " + FormatRate(parts.nicRates[0]) + " and of " +
                                     FormatRate(parts.nicRates[1]) +
                                     ", and a rule of MixNet's paper counts for one rate; --rule "
                                     "wiring counts each cable at its own");
    }
    const uint64_t rate = parts.nicRates.front();
    FabricSize size{parts.servers, parts.opticalNics, rate};
    size.gpus = parts.gpus;
    size.nics = parts.nics;
    TopologyCost counted;
    counted.rates = {rate};
    try
    {
        counted.cost = prices.Count(fabric, size);
    }
    catch (const PriceError& error)
    {
        RefusePrice(error, "NICs", rate, topology);
    }
    if (parts.oversubscription > 1)
    {
        counted.note = "has switches that are oversubscribed, by " +
                       FormatFixed(parts.oversubscription, 1) + ":1 at most, which the rule " +
                       fabric + " does not know; --rule wiring does";
    }
    return counted;
}

/// The name of a topology in a sweep.
struct TopologyName
{
    std::string whole;             //!< of a whole component, with what tells it apart
    std::string keys;              //!< values of single keys behind it
    std::vector<std::string> rest; //!< what the label of a whole component says besides

    std::string GetText() const
    {
        return whole + (whole.empty() || keys.empty() ? "" : ",") + keys;
    }
};

/// \return the values of a sweep that make the topology of a point; of a whole one its type
TopologyName
NameTopology(const Experiment& experiment)
{
    const std::string section = "topology";
    TopologyName name;
    for (const auto& [key, label] : experiment.axes)
    {
        const auto given = experiment.labels.find(key);
        if (key == section && given != experiment.labels.end())
        {
            name.whole = key + "=" + given->second;
        }
        else if (key == section)
        {
            std::istringstream words(label);
            std::string word;
            std::getline(words, word, '+');
            name.whole = key + "=" + word;
            while (std::getline(words, word, '+'))
            {
                name.rest.push_back(word);
            }
        }
        else if (key.compare(0, section.size() + 1, section + ".") == 0)
        {
            name.keys +=
                (name.keys.empty() ? "" : ",") + key.substr(section.size() + 1) + "=" + label;
        }
    }
    return name;
}

/// \return the names that are alike, by what they are
std::map<std::string, std::vector<TopologyName*>>
GroupAlike(std::vector<TopologyName>& names)
{
    std::map<std::string, std::vector<TopologyName*>> alike;
    for (TopologyName& name : names)
    {
        alike[name.GetText()].push_back(&name);
    }
    return alike;
}

/// Adds to each of some names that are alike the next word that not all of them have.
/// \return false when there is none
bool
AddWord(const std::vector<TopologyName*>& group)
{
    std::map<std::string, std::size_t> owners; // how many have a word
    for (const TopologyName* name : group)
    {
        for (const std::string& word : std::set<std::string>(name->rest.begin(), name->rest.end()))
        {
            ++owners[word];
        }
    }
    bool isAdded = false;
    for (TopologyName* name : group)
    {
        const auto word =
            std::find_if(name->rest.begin(), name->rest.end(), [&](const std::string& each) {
                return owners[each] < group.size();
            });
        if (word != name->rest.end())
        {
            name->whole += "+" + *word;
            name->rest.erase(word);
            isAdded = true;
        }
    }
    return isAdded;
}

/// Adds to names that are alike what tells them apart: labels of whole topologies are long.
void
TellApart(std::vector<TopologyName>& names)
{
    for (bool isMore = true; isMore;)
    {
        isMore = false;
        for (const auto& [text, group] : GroupAlike(names))
        {
            isMore = AddWord(group) || isMore;
        }
    }
    for (const auto& [text, group] : GroupAlike(names))
    {
        for (TopologyName* name : group) // the same words in another order
        {
            for (const std::string& word : name->rest)
            {
                name->whole += group.size() > 1 ? "+" + word : "";
            }
        }
    }
}

} // namespace

std::vector<TopologyCost>
CountTopologies(const std::string& file, const FabricPrices& prices, CostRule rule)
{
    std::vector<TopologyCost> counted;
    std::vector<TopologyName> names;
    std::set<std::string> known; // configurations
    const auto count = [&](const Experiment& experiment) -> std::vector<ExperimentWarning> {
        const Json config = Json::parse(experiment.resolvedConfig);
        const Json topology = config.value("topology", Json());
        if (known.insert(topology.dump()).second)
        {
            const FabricParts parts = CountFabricParts(experiment);
            counted.push_back(rule == CostRule::Wiring ? CountWiring(parts, topology, prices)
                                                       : CountByPaper(parts, topology, prices));
            names.push_back(NameTopology(experiment));
            counted.back().servers = parts.servers;
        }
        return {};
    };
    const Descriptor descriptor(file, {}, count);
    TellApart(names);
    for (std::size_t i = 0; i < counted.size(); ++i)
    {
        counted[i].experiment = descriptor.GetName();
        counted[i].values = names[i].GetText();
    }
    return counted;
}

} // namespace ns3::rails
