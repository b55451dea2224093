// SPDX-License-Identifier: GPL-2.0-only
#include "rails-explainer.h"

#include "message-ports.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Loads of a phase's messages on NICs (bytes on the wire) and links inside servers (payload).
class PhaseLoads
{
  public:
    /// The largest wire time of all ports, and the port.
    struct Largest
    {
        TimePs time{0};
        std::string port;
    };

    PhaseLoads(const Wiring& wiring, const ClusterSpeeds& speeds)
        : m_wiring(wiring),
          m_shape(wiring.GetShape()),
          m_speeds(speeds),
          m_nicOut(m_shape.GetNics()),
          m_nicIn(m_shape.GetNics()),
          m_links(m_shape.servers * speeds.interior->GetLinks().size())
    {
    }

    void Add(const Message& message)
    {
        VisitPorts(message,
                   m_shape,
                   *m_speeds.interior,
                   m_speeds.frames,
                   [this](MessagePort port, uint32_t number, uint64_t bytes) {
                       (port == MessagePort::NicOut  ? m_nicOut
                        : port == MessagePort::NicIn ? m_nicIn
                                                     : m_links)[number] += bytes;
                   });
    }

    Largest GetLargest() const
    {
        Largest largest;
        for (uint32_t nic = 0; nic < m_shape.GetNics(); ++nic)
        {
            const uint64_t rate = GetNicRate(m_speeds, m_shape, nic);
            const std::string name = m_wiring.GetNicName(nic);
            Raise(largest, m_nicOut[nic], rate, name + " (sending)");
            Raise(largest, m_nicIn[nic], rate, name + " (receiving)");
        }
        const std::vector<ServerInterior::Link>& links = m_speeds.interior->GetLinks();
        for (std::size_t number = 0; number < m_links.size(); ++number)
        {
            const auto link = static_cast<uint32_t>(number % links.size());
            const auto server = static_cast<uint32_t>(number / links.size());
            Raise(largest,
                  m_links[number],
                  links[link].rateBps,
                  "the " + m_speeds.interior->GetLinkName(link, server));
        }
        return largest;
    }

  private:
    static void Raise(Largest& largest, uint64_t bytes, uint64_t rateBps, const std::string& port)
    {
        const TimePs time = bytes == 0 ? 0 : LongSerialisationTime(bytes, rateBps);
        if (time > largest.time)
        {
            largest = {time, port};
        }
    }

    const Wiring& m_wiring;
    const ClusterShape& m_shape;
    const ClusterSpeeds& m_speeds;
    std::vector<uint64_t> m_nicOut;
    std::vector<uint64_t> m_nicIn;
    std::vector<uint64_t> m_links; // inside servers, by server and link
};

std::string
FormatPercent(double share)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(share < 0.1 ? 1 : 0) << 100 * share << " %";
    return text.str();
}

/// Builds the chain of times, phase by phase.
class Explainer
{
  public:
    explicit Explainer(const ExplanationSources& sources)
        : m_sources(sources)
    {
    }

    Explanation Explain()
    {
        const auto& records = m_sources.runner.GetPhases();
        const auto& bounds = m_sources.bound.GetPhases();
        const auto& messages = m_sources.runner.GetMessages().GetAll();
        auto message = messages.begin();
        const auto isMoving = [&](std::size_t phase) {
            return m_sources.runner.GetSchedule().phases[phase].traffic && bounds[phase].time > 0;
        };
        TimePs waits = 0; // since the last phase with traffic
        bool hasTraffic = false;
        for (std::size_t phase = 0; phase < records.size(); ++phase)
        {
            if (!isMoving(phase))
            {
                waits += records[phase].end - records[phase].start;
                continue;
            }
            PhaseLoads loads(m_sources.wiring, m_sources.speeds);
            for (; message != messages.end() && message->kind <= phase; ++message)
            {
                if (!message->isAbandoned)
                {
                    loads.Add(*message);
                }
            }
            if (hasTraffic)
            {
                AddToAll(waits);
            }
            waits = 0;
            // The first phase begins with its first post: its steps may have times of their own.
            const TimePs start =
                hasTraffic ? records[phase].start : m_sources.runner.GetMessages().GetFirstPost();
            hasTraffic = true;
            AddPhase(bounds[phase].time, loads.GetLargest(), records[phase].end - start);
        }
        Explanation explanation;
        explanation.times[0] = m_sums[0];
        explanation.times[1] = m_sums[1];
        explanation.times[5] = m_sums[5];
        if (m_sources.watched)
        {
            std::copy(m_sums.begin(), m_sums.end(), explanation.times.begin());
            if (m_waiting)
            {
                explanation.nic = m_waiting->nic;
                explanation.cable = m_waiting->cable;
            }
            explanation.sentence = MakeSentence(explanation);
        }
        return explanation;
    }

  private:
    using Sums = std::array<TimePs, Explanation::kTimes>;

    void AddToAll(TimePs time)
    {
        for (TimePs& sum : m_sums)
        {
            sum += time;
        }
    }

    void AddPhase(TimePs bound, const PhaseLoads::Largest& plan, TimePs length)
    {
        Sums times{};
        times[0] = bound;
        times[1] = std::max(bound, plan.time);
        times[2] = times[1];
        times[3] = times[1];
        times[4] = times[1];
        times[5] = length;
        if (times[1] - times[0] > m_largestPlan)
        {
            m_largestPlan = times[1] - times[0];
            m_planPort = plan.port;
        }
        if (m_sources.watched)
        {
            const WatchedPhase& watched = m_sources.watched->at(m_watched++);
            times[2] = std::max(times[1], watched.first);
            times[3] = std::max(times[2], watched.carried);
            times[4] = std::max(times[3], watched.carriedAndLost);
            if (times[2] - times[1] > m_largestRoutes)
            {
                m_largestRoutes = times[2] - times[1];
                m_routes = &watched;
            }
            if (!m_waiting || times[5] - times[4] > m_largestWaiting)
            {
                m_largestWaiting = times[5] - times[4];
                m_waiting = &watched;
            }
        }
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            m_sums[i] += times[i];
        }
    }

    std::string MakeSentence(const Explanation& explanation) const
    {
        std::vector<std::string> parts;
        const auto factor = [&](std::size_t number) { return *explanation.GetFactor(number); };
        parts.push_back(factor(0) < Explanation::kNotable
                            ? "The plan is even"
                            : "The plan costs a factor of " + Explanation::FormatFactor(factor(0)) +
                                  ", at " + m_planPort);
        if (factor(1) >= Explanation::kNotable && m_routes)
        {
            parts.push_back("routes put " + Explanation::FormatFactor(m_routes->firstOverMean) +
                            " times the mean on the cable " + m_routes->firstCable);
        }
        if (factor(2) >= Explanation::kNotable)
        {
            parts.push_back(m_sources.words.repeats + " cost a factor of " +
                            Explanation::FormatFactor(factor(2)));
        }
        if (factor(3) >= Explanation::kNotable)
        {
            parts.push_back("cables that were down or slow cost a factor of " +
                            Explanation::FormatFactor(factor(3)));
        }
        if (factor(4) < Explanation::kNotable)
        {
            parts.push_back("nothing waited for long");
        }
        else if (explanation.nic)
        {
            parts.push_back("the last NIC, " + explanation.nic->name + ", " +
                            DescribeWait(explanation.nic->times));
        }
        else
        {
            parts.push_back(
                std::string("nothing left a server: all the rest is waiting on NVLink") +
                (m_sources.speeds.interior->HasPcie() ? " or PCIe" : ""));
        }
        std::string sentence = parts.front();
        for (std::size_t i = 1; i < parts.size(); ++i)
        {
            sentence += "; " + parts[i];
        }
        return sentence + ".";
    }

    std::string DescribeWait(const decltype(Explanation::Shares::times)& times) const
    {
        // Skip the first state, busy, which is no wait; an unknown time counts as the least.
        const auto largest = std::max_element(times.begin() + 1, times.end());
        TimePs sum = 0;
        for (const std::optional<TimePs>& time : times)
        {
            sum += time.value_or(0);
        }
        const std::string share =
            FormatPercent(static_cast<double>(largest->value_or(0)) / static_cast<double>(sum)) +
            " of the time";
        switch (static_cast<PortState>(largest - times.begin()))
        {
        case PortState::Paused:
            return "was paused by its switch (PFC) for " + share;
        case PortState::Rate:
            return "was held by " + m_sources.words.heldBy + " for " + share;
        case PortState::NotThereYet:
            return "waited for " + m_sources.words.missing + " for " + share;
        case PortState::Down:
            return "had its cable down for " + share;
        default:
            return m_sources.words.idles + " for " + share + ": " + m_sources.words.idleWhy;
        }
    }

    const ExplanationSources& m_sources;
    Sums m_sums{};
    std::size_t m_watched{0}; // recorded phases used so far
    TimePs m_largestPlan{0};
    std::string m_planPort;
    TimePs m_largestRoutes{0};
    const WatchedPhase* m_routes{nullptr};
    TimePs m_largestWaiting{0};
    const WatchedPhase* m_waiting{nullptr};
};

} // namespace

Explanation
Explain(const ExplanationSources& sources)
{
    return Explainer(sources).Explain();
}

} // namespace ns3::rails
