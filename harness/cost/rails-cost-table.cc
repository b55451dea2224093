// SPDX-License-Identifier: GPL-2.0-only
#include "rails-cost-table.h"

#include "rails-descriptor-costs.h"
#include "rails-fabric-prices.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-summary-table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace ns3::rails
{

namespace
{

std::vector<uint64_t>
ReadRates(const std::string& rate, const FabricPrices& prices)
{
    if (rate.empty())
    {
        const std::vector<uint64_t> rates = prices.ListRates();
        return rates.empty() ? std::vector<uint64_t>{0} : rates; // prices that no rate changes
    }
    try
    {
        return {ParseRate(rate)};
    }
    catch (const QuantityError& error)
    {
        throw DescriptorError({"--rate", 0, 0}, error.what());
    }
}

constexpr uint32_t kUsualServers = 128;

/// A fabric at a rate.
struct CostRow
{
    std::string fabric;
    std::string rate;
    FabricCost cost;
    FabricCost first; //!< of the fabric that it is compared with
};

std::vector<CostRow>
CountFabrics(const CostOptions& question, const FabricPrices& prices)
{
    const std::vector<std::string> fabrics =
        question.fabrics.empty() ? prices.ListFabrics() : question.fabrics;
    if (fabrics.empty())
    {
        throw DescriptorError({question.prices, 0, 0},
                              "has no rule for any fabric: give it one, or ask for a descriptor");
    }
    std::vector<CostRow> rows;
    for (const uint64_t rate : ReadRates(question.rate, prices))
    {
        const FabricSize size{question.servers.value_or(kUsualServers), question.opticalNics, rate};
        const FabricCost first = prices.Count(fabrics.front(), size);
        for (const std::string& fabric : fabrics)
        {
            rows.push_back(
                {fabric, rate == 0 ? "any" : FormatRate(rate), prices.Count(fabric, size), first});
        }
    }
    return rows;
}

/// \return the devices that some fabric has
std::vector<std::string>
ListUsed(std::vector<std::string> devices, const std::vector<CostRow>& rows)
{
    const auto isUnused = [&](const std::string& device) {
        return std::none_of(rows.begin(), rows.end(), [&](const CostRow& row) {
            return row.cost.Count(device) > 0;
        });
    };
    devices.erase(std::remove_if(devices.begin(), devices.end(), isUnused), devices.end());
    return devices;
}

/// \return a number of devices: small clusters have half a fibre
std::string
FormatDevices(double number)
{
    return FormatFixed(number, number == std::floor(number) ? 0 : 1);
}

std::string
FormatRows(const std::vector<CostRow>& rows, const std::vector<std::string>& devices)
{
    const bool haveSizes = std::any_of(rows.begin(), rows.end(), [&](const CostRow& row) {
        return row.cost.gpus != rows.front().cost.gpus;
    });
    std::vector<std::vector<std::string>> table{{"fabric", "rate"}};
    if (haveSizes)
    {
        table[0].emplace_back("GPUs");
    }
    for (std::string device : devices)
    {
        std::replace(device.begin(), device.end(), '_', ' ');
        table[0].push_back(device);
    }
    table[0].insert(table[0].end(),
                    {"cost [USD]", "per GPU [USD]", rows.front().fabric + " over it", ""});
    for (const CostRow& row : rows)
    {
        std::vector<std::string>& cells = table.emplace_back();
        cells = {row.fabric, row.rate};
        if (haveSizes)
        {
            cells.push_back(FormatFixed(row.cost.gpus, 0));
        }
        for (const std::string& device : devices)
        {
            cells.push_back(FormatDevices(row.cost.Count(device)));
        }
        const double total = row.cost.GetTotal();
        cells.push_back(FormatFixed(total, 0));
        cells.push_back(FormatFixed(total / row.cost.gpus, 2));
        const double first = row.first.GetTotal() * (row.cost.gpus / row.first.gpus);
        cells.push_back(total > 0 ? FormatFixed(first / total, 2) : "-");
        cells.emplace_back();
    }
    return FormatTable(table);
}

/// \return whether a word on the command line is meant as a descriptor
bool
IsDescriptor(const std::string& word, const FabricPrices& prices)
{
    std::error_code ignored;
    return !prices.Knows(word) && (word.find_first_of("./") != std::string::npos ||
                                   std::filesystem::exists(word, ignored));
}

/// \return true for descriptors, false for names or nothing
bool
AsksForDescriptors(const CostOptions& question, const FabricPrices& prices)
{
    const auto isDescriptor = [&](const std::string& word) { return IsDescriptor(word, prices); };
    const std::vector<std::string>& words = question.fabrics;
    const auto name = std::find_if_not(words.begin(), words.end(), isDescriptor);
    if (name == words.end() && !words.empty())
    {
        return true;
    }
    if (std::any_of(words.begin(), words.end(), isDescriptor))
    {
        throw DescriptorError({*name, 0, 0},
                              "a name beside descriptors, which have servers and rates of their "
                              "own: ask for one kind at a time; with --rule mixnet a descriptor is "
                              "counted by the rule of its type");
    }
    if (question.rule == "wiring")
    {
        throw DescriptorError({"--rule", 0, 0},
                              "a name has no wiring: give a descriptor, as in ./rails cost "
                              "FILE.yaml, or --rule mixnet");
    }
    return false;
}

/// Refuses what a descriptor says itself.
void
CheckOptions(const CostOptions& question)
{
    const auto refuse = [](bool isGiven, const std::string& option, const std::string& where) {
        if (isGiven)
        {
            throw DescriptorError({option, 0, 0},
                                  "not with a descriptor, which says so itself: " + where);
        }
    };
    refuse(question.servers.has_value(), "--servers", "topology.domains");
    refuse(!question.rate.empty(), "--rate", "topology.nic_rate and the rates of other cables");
    refuse(question.opticalNics.has_value(), "--optical-nics", "topology.nic_groups");
}

/// \return rates in one word, "400Gbps+800Gbps"
std::string
FormatRates(const std::vector<uint64_t>& rates)
{
    std::string text;
    for (const uint64_t rate : rates)
    {
        text += (text.empty() ? "" : "+") + FormatRate(rate);
    }
    return text;
}

std::string
FormatServers(uint32_t servers, double gpus)
{
    return std::to_string(servers) + (servers == 1 ? " server, " : " servers, ") +
           FormatFixed(gpus, 0) + " GPUs";
}

std::string
NameRow(const std::string& file, const TopologyCost& topology, bool isAlone)
{
    if (isAlone)
    {
        return topology.values.empty() ? topology.experiment : topology.values;
    }
    return file + (topology.values.empty() ? "" : ": " + topology.values);
}

/// The counted fabrics, and the texts about them.
struct CountedFabrics
{
    std::string head; //!< how much is counted, and how
    std::string rule; //!< "wiring" or "mixnet"
    std::vector<CostRow> rows;
    std::vector<std::string> notes; //!< what the rule does not know of a row
};

CountedFabrics
CountDescriptors(const CostOptions& question, const FabricPrices& prices)
{
    CheckOptions(question);
    const bool isWiring = question.rule != "mixnet";
    CountedFabrics counted;
    std::set<std::string> sizes;
    std::set<double> gpus;
    for (const std::string& file : question.fabrics)
    {
        for (const TopologyCost& each :
             CountTopologies(file, prices, isWiring ? CostRule::Wiring : CostRule::Mixnet))
        {
            const std::string name = NameRow(file, each, question.fabrics.size() == 1);
            const FabricCost& first = counted.rows.empty() ? each.cost : counted.rows.front().cost;
            counted.rows.push_back({name, FormatRates(each.rates), each.cost, first});
            if (!each.note.empty())
            {
                counted.notes.push_back(name + " " + each.note);
            }
            sizes.insert(FormatServers(each.servers, each.cost.gpus));
            gpus.insert(each.cost.gpus);
        }
    }
    counted.rule = isWiring ? "wiring" : "mixnet";
    counted.head = (sizes.size() == 1  ? *sizes.begin() + "; "
                    : gpus.size() == 1 ? FormatFixed(*gpus.begin(), 0) + " GPUs; "
                                       : "") + // a column has them
                   (isWiring ? "counted from the wiring, cable by cable"
                             : "counted by the rules of MixNet's paper");
    return counted;
}

CountedFabrics
CountNames(const CostOptions& question, const FabricPrices& prices)
{
    CountedFabrics counted;
    counted.rule = "mixnet";
    counted.rows = CountFabrics(question, prices);
    const uint32_t optical = question.opticalNics.value_or(prices.GetOpticalNics());
    counted.head =
        FormatServers(question.servers.value_or(kUsualServers), counted.rows.front().cost.gpus) +
        "; " + std::to_string(optical) + " of " + std::to_string(prices.GetNics()) +
        " NICs of a server at an optical switch, where it is counted apart";
    return counted;
}

std::string
FormatText(const CountedFabrics& counted, const FabricPrices& prices, const std::string& source)
{
    std::string notes;
    for (const std::string& note : counted.notes)
    {
        notes += note + "\n";
    }
    return counted.head + "\n\n" +
           FormatRows(counted.rows, ListUsed(prices.ListDevices(), counted.rows)) +
           (notes.empty() ? "" : "\n") + notes + "\nprices" +
           (counted.rule == "wiring" ? "" : " and rules of counting") +
           ", with their sources: " + source + "\n";
}

std::string
FormatJson(const CountedFabrics& counted, const FabricPrices& prices, const std::string& source)
{
    using Json = nlohmann::ordered_json;
    const std::vector<std::string> devices = ListUsed(prices.ListDevices(), counted.rows);
    Json fabrics = Json::array();
    for (const CostRow& row : counted.rows)
    {
        Json numbers = Json::object();
        for (const std::string& device : devices)
        {
            numbers[device] = row.cost.Count(device);
        }
        const double total = row.cost.GetTotal();
        fabrics.push_back({{"fabric", row.fabric},
                           {"rate", row.rate},
                           {"gpus", row.cost.gpus},
                           {"devices", numbers},
                           {"cost_usd", total},
                           {"cost_per_gpu_usd", total / row.cost.gpus}});
    }
    const Json whole{{"rule", counted.rule},
                     {"prices", source},
                     {"fabrics", fabrics},
                     {"notes", counted.notes}};
    return whole.dump(2) + "\n";
}

} // namespace

CostReport
AnswerCosts(const CostOptions& question)
{
    const bool isOwn = !question.prices.empty();
    const std::string source = isOwn ? question.prices : "./rails cost --print";
    const FabricPrices prices(isOwn ? ReadDescriptorFile(question.prices)
                                    : FabricPrices::GetShippedText(),
                              source);
    const CountedFabrics counted = AsksForDescriptors(question, prices)
                                       ? CountDescriptors(question, prices)
                                       : CountNames(question, prices);
    return {FormatText(counted, prices, source), FormatJson(counted, prices, source)};
}

std::string
FormatCosts(const CostOptions& question)
{
    return AnswerCosts(question).text;
}

} // namespace ns3::rails
