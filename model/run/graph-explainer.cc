// SPDX-License-Identifier: GPL-2.0-only
#include "graph-explainer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Adds up the times of the transfers on a critical path.
class PathExplainer
{
  public:
    PathExplainer(const GraphRunner& runner, const PathSegmentRecorder& recorder)
        : m_runner(runner),
          m_recorder(recorder)
    {
    }

    Explanation Explain()
    {
        const std::shared_ptr<const PathSegment> last = m_runner.GetLastSegment();
        for (const PathSegment* segment = last.get(); segment; segment = segment->before.get())
        {
            m_kinds[segment->kind].Add(PathSegmentRecorder::GetTimes(*segment));
        }
        const GraphRecord record = m_runner.GetRecord();
        Sums sums{};
        sums.fill(record.end);
        Explanation explanation;
        explanation.kinds.emplace();
        for (auto& [number, kind] : m_kinds)
        {
            // Time without a message on the path, such as planning time, counts as waiting.
            kind.times.back() = record.kinds[number].critical;
            for (std::size_t i = 0; i < sums.size(); ++i)
            {
                sums[i] -= kind.times.back() - kind.times[i];
            }
            explanation.kinds->push_back(
                {record.kinds[number].name, kind.messages, ToTimes(kind.times)});
        }
        explanation.times = ToTimes(sums);
        explanation.sentence = MakeSentence(*explanation.kinds, sums);
        return explanation;
    }

  private:
    using Sums = std::array<TimePs, Explanation::kTimes>;

    Explanation::Times ToTimes(const Sums& sums) const
    {
        Explanation::Times times;
        std::copy(sums.begin(), sums.end(), times.begin());
        if (!m_recorder.HasRepeats())
        {
            times[3].reset();
        }
        return times;
    }

    std::string MakeSentence(const std::vector<Explanation::Kind>& kinds, const Sums& sums) const
    {
        const auto lost = [](const Explanation::Kind& kind) {
            return *kind.times.back() - *kind.times.front();
        };
        const auto most = std::max_element(
            kinds.begin(),
            kinds.end(),
            [&lost](const auto& one, const auto& other) { return lost(one) < lost(other); });
        if (most == kinds.end())
        {
            return "Nothing on the critical path waits for a transfer.";
        }
        const auto part =
            static_cast<double>(sums.back() - sums.front()) / static_cast<double>(sums.back());
        if (part < Explanation::kNotable - 1)
        {
            return "Transfers on the critical path take about as long as they must.";
        }
        std::ostringstream text;
        text << std::fixed << std::setprecision(0) << 100 * part
             << " % of the critical path is what transfers take beyond their best; most of it "
             << most->name << ":";
        const char* mark = " ";
        for (std::size_t factor = 0; factor < Explanation::kFactors.size(); ++factor)
        {
            const std::optional<double> value = Explanation::GetFactor(most->times, factor);
            if (value && *value >= Explanation::kNotable)
            {
                text << std::exchange(mark, ", ") << Explanation::kFactors[factor] << " "
                     << Explanation::FormatFactor(*value) << DescribePort(most->name, factor);
            }
        }
        return text.str() + ".";
    }

    /// \return the port where the plan or the routes cost a kind most, in brackets
    std::string DescribePort(const std::string& name, std::size_t factor) const
    {
        const std::vector<std::string>& names = m_runner.GetProgram().GetKinds();
        const auto number =
            static_cast<uint16_t>(std::find(names.begin(), names.end(), name) - names.begin());
        const SegmentTimes& kind = m_kinds.at(number);
        const SegmentTimes::Costly* port = factor == 0   ? &kind.plan
                                           : factor == 1 ? &kind.routes
                                                         : nullptr;
        return port && port->time > 0 ? " (most at " + m_recorder.GetName(*port) + ")" : "";
    }

    const GraphRunner& m_runner;
    const PathSegmentRecorder& m_recorder;
    std::map<uint16_t, SegmentTimes> m_kinds;
};

} // namespace

Explanation
ExplainGraph(const GraphRunner& runner, const PathSegmentRecorder& recorder)
{
    return PathExplainer(runner, recorder).Explain();
}

} // namespace ns3::rails
