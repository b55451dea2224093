// SPDX-License-Identifier: GPL-2.0-only
#include "rails-queue-recorder.h"

#include <boost/integer/integer_log2.hpp>

namespace ns3::rails
{

QueueRecorder::QueueRecorder(const std::vector<Ptr<Port>>& ports)
{
    for (const Ptr<Port>& port : ports)
    {
        Probe& probe = m_probes.emplace_back();
        probe.port = PeekPointer(port);
        probe.histogram = &m_histograms[port->GetIdentity().portClass];
        probe.bytes = port->GetQueueBytes();
        probe.since = NowPs();
        port->SetQueueListener(&probe);
    }
}

QueueRecorder::~QueueRecorder()
{
    for (Probe& probe : m_probes)
    {
        probe.port->SetQueueListener(nullptr);
    }
}

void
QueueRecorder::Probe::OnQueueBytes(TimePs now, uint64_t after)
{
    Account(now);
    bytes = after;
}

void
QueueRecorder::Probe::Account(TimePs now)
{
    (*histogram)[GetBin(bytes)] += now - since;
    since = now;
}

uint32_t
QueueRecorder::GetBin(uint64_t bytes)
{
    if (bytes >> kStepsLog2 == 0)
    {
        return static_cast<uint32_t>(bytes);
    }
    const auto shift = static_cast<uint32_t>(boost::integer_log2(bytes)) - kStepsLog2;
    return (shift << kStepsLog2) + static_cast<uint32_t>(bytes >> shift);
}

uint64_t
QueueRecorder::GetLowerEdge(uint32_t bin)
{
    const uint32_t steps = 1U << kStepsLog2;
    if (bin < 2 * steps)
    {
        return bin;
    }
    const uint32_t shift = (bin >> kStepsLog2) - 1;
    return uint64_t{bin - (shift << kStepsLog2)} << shift;
}

std::vector<QueueBin>
QueueRecorder::Collect()
{
    for (Probe& probe : m_probes)
    {
        probe.Account(NowPs());
    }
    std::vector<QueueBin> bins;
    for (const auto& [portClass, histogram] : m_histograms)
    {
        for (uint32_t bin = 0; bin + 1 < kBins; ++bin)
        {
            if (histogram[bin] > 0)
            {
                bins.push_back({portClass,
                                GetLowerEdge(bin),
                                GetLowerEdge(bin + 1),
                                static_cast<double>(histogram[bin]) * 1e-12});
            }
        }
    }
    return bins;
}

} // namespace ns3::rails
