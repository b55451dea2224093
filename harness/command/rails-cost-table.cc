// SPDX-License-Identifier: GPL-2.0-only
#include "rails-cost-table.h"

#include "rails-fabric-prices.h"

#include "ns3/rails-quantity.h"
#include "ns3/rails-summary-table.h"

#include <algorithm>
#include <cmath>

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

/// A fabric at a rate.
struct CostRow
{
    std::string fabric;
    uint64_t rate{0};
    FabricCost cost;
    double first{0}; //!< what the first fabric costs at this rate
};

std::vector<CostRow>
CountFabrics(const CostQuestion& question, const FabricPrices& prices)
{
    const std::vector<std::string> fabrics =
        question.fabrics.empty() ? prices.ListFabrics() : question.fabrics;
    std::vector<CostRow> rows;
    for (const uint64_t rate : ReadRates(question.rate, prices))
    {
        const FabricSize size{question.servers, question.opticalNics, rate};
        const double first = prices.Count(fabrics.front(), size).GetTotal();
        for (const std::string& fabric : fabrics)
        {
            rows.push_back({fabric, rate, prices.Count(fabric, size), first});
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
    std::vector<std::vector<std::string>> table{{"fabric", "rate"}};
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
        cells = {row.fabric, row.rate == 0 ? "any" : FormatRate(row.rate)};
        for (const std::string& device : devices)
        {
            cells.push_back(FormatDevices(row.cost.Count(device)));
        }
        const double total = row.cost.GetTotal();
        cells.push_back(FormatFixed(total, 0));
        cells.push_back(FormatFixed(total / row.cost.gpus, 2));
        cells.push_back(total > 0 ? FormatFixed(row.first / total, 2) : "-");
        cells.emplace_back();
    }
    return FormatTable(table);
}

} // namespace

std::string
FormatCosts(const CostQuestion& question)
{
    const bool isOwn = !question.prices.empty();
    const std::string source = isOwn ? question.prices : "./rails cost --print";
    const FabricPrices prices(isOwn ? ReadDescriptorFile(question.prices)
                                    : FabricPrices::GetShippedText(),
                              source);
    const std::vector<CostRow> rows = CountFabrics(question, prices);
    const uint32_t optical = question.opticalNics.value_or(prices.GetOpticalNics());
    return std::to_string(question.servers) + (question.servers == 1 ? " server, " : " servers, ") +
           FormatFixed(rows.front().cost.gpus, 0) + " GPUs; " + std::to_string(optical) + " of " +
           std::to_string(prices.GetNics()) +
           " NICs of a server at an optical switch, where it is counted apart\n\n" +
           FormatRows(rows, ListUsed(prices.ListDevices(), rows)) +
           "\nprices and rules of counting, with their sources: " + source + "\n";
}

} // namespace ns3::rails
