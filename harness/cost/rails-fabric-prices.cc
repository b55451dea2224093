// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fabric-prices.h"

#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

namespace ns3::rails
{

namespace
{

constexpr const char* kShippedText =
#include "rails-fabric-prices.inc"
    ;

constexpr uint32_t kMostOfAServer = 1024;

/// \return the value of a key of a map that must be there, or nullptr
const YamlNode*
Find(const YamlNode& map, const std::string& key, DiagnosticList& faults)
{
    const YamlEntry* entry = map.Find(key);
    if (!entry)
    {
        faults.Add(map.place, "expected a key '" + key + "' here");
    }
    return entry ? &entry->value : nullptr;
}

/// Looks whether a node is a map with some keys and no others. \return whether it is a map
bool
CheckMap(const YamlNode& node, const std::vector<std::string>& keys, DiagnosticList& faults)
{
    if (node.kind != YamlNode::Kind::Map)
    {
        faults.Add(node.place, "expected a map, found " + node.Describe());
        return false;
    }
    for (const YamlEntry& entry : node.entries)
    {
        if (!keys.empty() && std::find(keys.begin(), keys.end(), entry.key) == keys.end())
        {
            faults.Add(entry.place,
                       "unknown key '" + entry.key + "'" + SuggestName(entry.key, keys));
        }
    }
    return true;
}

std::string
ReadText(const YamlNode& map, const std::string& key, DiagnosticList& faults)
{
    const YamlNode* node = Find(map, key, faults);
    if (node && (node->kind != YamlNode::Kind::Scalar || node->text.empty()))
    {
        faults.Add(node->place, "expected a text, found " + node->Describe());
    }
    return node ? node->text : "";
}

/// \return a number that is not negative
double
ReadAmount(const YamlNode& node, DiagnosticList& faults)
{
    try
    {
        if (node.kind != YamlNode::Kind::Scalar)
        {
            throw QuantityError("expected a number, found " + node.Describe());
        }
        const double number = ParseNumber(node.text);
        if (number < 0)
        {
            throw QuantityError("expected a number that is not negative, found " + node.Describe());
        }
        return number;
    }
    catch (const QuantityError& error)
    {
        faults.Add(node.place, error.what());
        return 0;
    }
}

uint32_t
ReadCount(const YamlNode& map, const std::string& key, uint32_t least, DiagnosticList& faults)
{
    const YamlNode* node = Find(map, key, faults);
    if (!node)
    {
        return 0;
    }
    try
    {
        const uint64_t count = ParseCount(node->kind == YamlNode::Kind::Scalar ? node->text : "");
        if (count >= least && count <= kMostOfAServer)
        {
            return static_cast<uint32_t>(count);
        }
    }
    catch (const QuantityError&)
    {
        // Reported below.
    }
    faults.Add(node->place,
               "expected a count from " + std::to_string(least) + " to " +
                   std::to_string(kMostOfAServer) + ", found " + node->Describe());
    return 0;
}

template <typename Named>
std::vector<std::string>
ListNames(const std::vector<Named>& all)
{
    std::vector<std::string> names;
    std::transform(all.begin(), all.end(), std::back_inserter(names), [](const Named& each) {
        return each.name;
    });
    return names;
}

} // namespace

double
FabricCost::GetTotal() const
{
    double total = 0;
    for (const DeviceCount& count : devices)
    {
        total += count.number * count.price;
    }
    return total;
}

double
FabricCost::Count(const std::string& device) const
{
    double number = 0;
    for (const DeviceCount& count : devices)
    {
        number += count.device == device ? count.number : 0;
    }
    return number;
}

const std::string&
FabricPrices::GetShippedText()
{
    static const std::string text = kShippedText;
    return text;
}

FabricPrices::FabricPrices(const std::string& text, const std::string& source)
    : m_source(source)
{
    const YamlNode root = ParseYaml(text, source);
    DiagnosticList faults;
    if (CheckMap(root, {"server", "devices", "fabrics"}, faults))
    {
        if (const YamlNode* server = Find(root, "server", faults))
        {
            ReadServer(*server, faults);
        }
        const YamlNode* devices = Find(root, "devices", faults);
        if (devices && CheckMap(*devices, {}, faults))
        {
            for (const YamlEntry& entry : devices->entries)
            {
                ReadDevice(entry, faults);
            }
        }
        const YamlNode* fabrics = Find(root, "fabrics", faults);
        if (fabrics && CheckMap(*fabrics, {}, faults))
        {
            for (const YamlEntry& entry : fabrics->entries)
            {
                ReadFabric(entry, faults);
            }
        }
    }
    faults.ThrowIfAny();
}

void
FabricPrices::ReadServer(const YamlNode& node, DiagnosticList& faults)
{
    if (!CheckMap(node, {"gpus", "nics", "optical_nics", "source"}, faults))
    {
        return;
    }
    m_gpus = ReadCount(node, "gpus", 1, faults);
    m_nics = ReadCount(node, "nics", 1, faults);
    m_opticalNics = ReadCount(node, "optical_nics", 0, faults);
    if (m_opticalNics > m_nics)
    {
        faults.Add(node.Find("optical_nics")->value.place,
                   "expected at most " + std::to_string(m_nics) + ", the NICs of a server");
    }
    ReadText(node, "source", faults);
}

void
FabricPrices::ReadDevice(const YamlEntry& entry, DiagnosticList& faults)
{
    const YamlNode& node = entry.value;
    if (!CheckMap(node, {"price", "source"}, faults))
    {
        return;
    }
    Device device{entry.key, {}};
    const YamlNode* price = Find(node, "price", faults);
    if (price && price->kind == YamlNode::Kind::Map)
    {
        for (const YamlEntry& each : price->entries)
        {
            try
            {
                const uint64_t rate = ParseRate(each.key);
                if (rate == 0 || device.prices.count(rate) > 0)
                {
                    throw QuantityError("expected a rate above 0bps, each once, found '" +
                                        each.key + "'");
                }
                device.prices[rate] = ReadAmount(each.value, faults);
            }
            catch (const QuantityError& error)
            {
                faults.Add(each.place, error.what());
            }
        }
    }
    else if (price)
    {
        device.prices[0] = ReadAmount(*price, faults);
    }
    ReadText(node, "source", faults);
    m_devices.push_back(device);
}

FabricPrices::Rule
FabricPrices::ReadRule(const YamlEntry& entry, DiagnosticList& faults) const
{
    Rule rule;
    rule.device = entry.key;
    const std::vector<std::string> known = ListDevices();
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
    {
        faults.Add(entry.place, "no device '" + entry.key + "'" + SuggestName(entry.key, known));
    }
    if (entry.value.kind == YamlNode::Kind::Scalar)
    {
        rule.perNic = ReadAmount(entry.value, faults);
    }
    else if (CheckMap(entry.value, {"nic", "optical_nic", "electrical_nic"}, faults))
    {
        const auto read = [&](const char* key) {
            const YamlEntry* found = entry.value.Find(key);
            return found ? ReadAmount(found->value, faults) : 0;
        };
        rule.perNic = read("nic");
        rule.perOpticalNic = read("optical_nic");
        rule.perElectricalNic = read("electrical_nic");
    }
    return rule;
}

void
FabricPrices::ReadFabric(const YamlEntry& entry, DiagnosticList& faults)
{
    const YamlNode& node = entry.value;
    if (!CheckMap(node, {"counts", "source", "refused"}, faults))
    {
        return;
    }
    Fabric fabric{entry.key, "", {}};
    if (node.Find("refused"))
    {
        fabric.refused = ReadText(node, "refused", faults);
        if (node.Find("counts"))
        {
            faults.Add(node.place, "a fabric has either 'counts' or 'refused'");
        }
    }
    else
    {
        const YamlNode* counts = Find(node, "counts", faults);
        if (counts && CheckMap(*counts, {}, faults))
        {
            for (const YamlEntry& each : counts->entries)
            {
                fabric.rules.push_back(ReadRule(each, faults));
            }
        }
        ReadText(node, "source", faults);
    }
    m_fabrics.push_back(fabric);
}

std::vector<std::string>
FabricPrices::ListFabrics() const
{
    std::vector<std::string> names;
    for (const Fabric& fabric : m_fabrics)
    {
        if (fabric.refused.empty())
        {
            names.push_back(fabric.name);
        }
    }
    return names;
}

std::vector<uint64_t>
FabricPrices::ListRates() const
{
    std::set<uint64_t> rates;
    for (const Device& device : m_devices)
    {
        for (const auto& [rate, price] : device.prices)
        {
            rates.insert(rate);
        }
    }
    rates.erase(0);
    return {rates.begin(), rates.end()};
}

std::vector<std::string>
FabricPrices::ListDevices() const
{
    return ListNames(m_devices);
}

bool
FabricPrices::Knows(const std::string& fabric) const
{
    return std::any_of(m_fabrics.begin(), m_fabrics.end(), [&](const Fabric& known) {
        return known.name == fabric;
    });
}

const FabricPrices::Fabric&
FabricPrices::FindFabric(const std::string& name) const
{
    const auto found = std::find_if(m_fabrics.begin(), m_fabrics.end(), [&](const auto& fabric) {
        return fabric.name == name;
    });
    if (found == m_fabrics.end())
    {
        throw DescriptorError({name, 0, 0},
                              "no fabric of this name in " + m_source +
                                  SuggestName(name, ListNames(m_fabrics)));
    }
    if (!found->refused.empty())
    {
        throw DescriptorError({name, 0, 0}, found->refused);
    }
    return *found;
}

double
FabricPrices::FindPrice(const std::string& device, uint64_t rate) const
{
    const auto found = std::find_if(m_devices.begin(), m_devices.end(), [&](const auto& known) {
        return known.name == device;
    });
    if (found == m_devices.end())
    {
        throw DescriptorError({m_source, 0, 0},
                              "no device '" + device +
                                  "', which the wiring has: give it a price and a source" +
                                  SuggestName(device, ListDevices()));
    }
    const std::map<uint64_t, double>& prices = found->prices;
    const auto any = prices.find(0);
    const auto exact = prices.find(rate);
    if (any == prices.end() && exact == prices.end())
    {
        std::vector<std::string> rates;
        for (const auto& [known, price] : prices)
        {
            rates.push_back(FormatRate(known));
        }
        throw PriceError({"--rate", 0, 0},
                         "no price of " + device + " at " + FormatRate(rate) + " in " + m_source +
                             "; there are " + JoinNames(rates));
    }
    return any != prices.end() ? any->second : exact->second;
}

FabricCost
FabricPrices::Count(const std::string& fabric, const FabricSize& size) const
{
    const uint32_t optical = size.opticalNics.value_or(m_opticalNics);
    const uint32_t nics = size.nics.value_or(m_nics);
    if (optical > nics)
    {
        throw DescriptorError({"--optical-nics", 0, 0},
                              "a server has " + std::to_string(nics) + " NICs");
    }
    const double servers = size.servers;
    FabricCost cost;
    cost.gpus = servers * size.gpus.value_or(m_gpus);
    for (const Rule& rule : FindFabric(fabric).rules)
    {
        const double perServer = rule.perNic * nics + rule.perOpticalNic * optical +
                                 rule.perElectricalNic * (nics - optical);
        cost.devices.push_back(
            {rule.device, servers * perServer, FindPrice(rule.device, size.rate)});
    }
    return cost;
}

} // namespace ns3::rails
