// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"

#include "ns3/component-documentation.h"
#include "ns3/csv-file.h"
#include "ns3/file-memory.h"
#include "ns3/rails-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <string>

namespace ns3::rails
{

/// `table`: measured times by number of tokens
class TableComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();

    void Check(uint32_t gpus, Precision precision) const override;

  private:
    /// Seconds by tokens.
    using Curve = std::map<double, double>;

    /// Measured times of a part.
    struct Measured
    {
        Curve forward;
        Curve backward; //!< empty: twice the forward time
    };

    using Table = std::array<Measured, 7>; //!< by part

    static std::shared_ptr<const Table> Read(const std::string& path);
    double GetSeconds(const Work& work) const override;

    std::string m_path;
};

NS_OBJECT_ENSURE_REGISTERED(TableComputeModel);

namespace
{

const std::array<std::string, 4> kColumns{"part", "pass", "tokens", "seconds"};

/// In the order of Work::Part.
const std::array<std::string, 7>
    kParts{"attention", "gate", "experts", "shared", "dense", "head", "optimizer"};

constexpr uint64_t kMostTokens = 1'000'000'000'000;

double
ReadSeconds(const CsvFile& file, std::size_t column)
{
    const std::string& text = file.GetText(column);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
        value < 0)
    {
        file.Fail(column, "expected seconds, found '" + text + "'");
    }
    return value;
}

/// \return value at a number of tokens: linear between two points, constant below the smallest,
///     proportional above the largest
template <typename Curve>
double
FindAt(const Curve& curve, double tokens)
{
    const auto above = curve.lower_bound(tokens);
    if (above == curve.end())
    {
        const auto most = std::prev(curve.end());
        return most->first > 0 ? most->second * tokens / most->first : most->second;
    }
    if (above == curve.begin())
    {
        return above->second;
    }
    const auto below = std::prev(above);
    const double part = (tokens - below->first) / (above->first - below->first);
    return below->second + part * (above->second - below->second);
}

} // namespace

TypeId
TableComputeModel::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::TableComputeModel").SetParent<ComputeModel>(),
            "Times that somebody has measured for some numbers of tokens of a micro-batch on "
            "a GPU: between two a straight line, below the least as long as that, above the "
            "largest in proportion.")
            .SetGroupName("Rails")
            .AddConstructor<TableComputeModel>()
            .AddAttribute("Path",
                          "CSV with the columns part,pass,tokens,seconds. Parts are attention, "
                          "gate, experts (tokens are pairs of a token and an expert), shared, "
                          "dense, head and optimizer; passes forward and backward, which is twice "
                          "as long where it is left out. What a training computes has to be there.",
                          StringValue(""),
                          MakeStringAccessor(&TableComputeModel::m_path),
                          MakeStringChecker());
    return tid;
}

std::shared_ptr<const TableComputeModel::Table>
TableComputeModel::Read(const std::string& path)
{
    static FileMemory<std::shared_ptr<const Table>> known;
    return known.Get(path, {}, [&path] {
        CsvFile file(path);
        if (!file.NextRow())
        {
            file.FailFile("is empty");
        }
        for (std::size_t column = 0; column < kColumns.size(); ++column)
        {
            if (column >= file.GetColumns())
            {
                file.FailRow("expected the columns part,pass,tokens,seconds");
            }
            if (file.GetText(column) != kColumns[column])
            {
                file.Fail(column, "expected the column '" + kColumns[column] + "'");
            }
        }
        const auto table = std::make_shared<Table>();
        while (file.NextRow())
        {
            if (file.GetColumns() != kColumns.size())
            {
                file.FailRow("expected " + std::to_string(kColumns.size()) +
                             " columns as in the header, found " +
                             std::to_string(file.GetColumns()));
            }
            const auto part = std::find(kParts.begin(), kParts.end(), file.GetText(0));
            if (part == kParts.end())
            {
                file.Fail(0,
                          "expected attention, gate, experts, shared, dense, head or optimizer, "
                          "found '" +
                              file.GetText(0) + "'");
            }
            const std::string& pass = file.GetText(1);
            if (pass != "forward" && pass != "backward")
            {
                file.Fail(1, "expected forward or backward, found '" + pass + "'");
            }
            Measured& measured = (*table)[static_cast<std::size_t>(part - kParts.begin())];
            Curve& curve = pass == "forward" ? measured.forward : measured.backward;
            const auto tokens = static_cast<double>(file.GetNumber(2, kMostTokens));
            if (!curve.emplace(tokens, ReadSeconds(file, 3)).second)
            {
                file.Fail(2, "there is a row with as many tokens of this part and pass already");
            }
        }
        for (std::size_t part = 0; part < table->size(); ++part)
        {
            if ((*table)[part].forward.empty() && !(*table)[part].backward.empty())
            {
                file.FailFile("has " + kParts[part] + " backward, and not forward");
            }
        }
        return std::shared_ptr<const Table>(table);
    });
}

void
TableComputeModel::Check(uint32_t gpus, Precision precision) const
{
    ComputeModel::Check(gpus, precision);
    if (m_path.empty())
    {
        throw ConfigurationError("path", "expected a file of measured times");
    }
    Read(m_path);
}

double
TableComputeModel::GetSeconds(const Work& work) const
{
    const auto part = static_cast<std::size_t>(work.part);
    const std::shared_ptr<const Table> table = Read(m_path);
    const Measured& measured = (*table)[part];
    if (measured.forward.empty())
    {
        throw ConfigurationError("compute.path",
                                 m_path + ": has no row of the part " + kParts[part] +
                                     ", which this training computes");
    }
    if (work.pass == Pass::Forward || measured.backward.empty())
    {
        return FindAt(measured.forward, work.tokens) * work.share * work.times;
    }
    // Both parts of a backward pass together count as two forward passes.
    return FindAt(measured.backward, work.tokens) * work.share * work.times / 2;
}

} // namespace ns3::rails
