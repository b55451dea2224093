// SPDX-License-Identifier: GPL-2.0-only
#include "message-pipeline.h"

#include <algorithm>

namespace ns3::rails
{

MessagePipeline
MakeMessagePipeline(uint64_t bytes,
                    const FlowSettings& settings,
                    uint64_t segmentBytes,
                    const FlowInterior::Crossing& out,
                    const FlowNetwork::Times& times,
                    const FlowInterior::Crossing& in)
{
    const auto getRest = [&](uint64_t unit) { return (bytes - 1) % unit + 1; };
    const auto getSending = [&](uint64_t part) {
        return times.slowest * static_cast<double>(settings.frames.GetMessageWire(part));
    };
    const uint64_t segment = std::min(segmentBytes, bytes);
    // A NIC hands received data on in whole packets.
    const uint64_t handed = settings.frames.CountFrames(segment) * settings.frames.mtu;
    const uint64_t first = std::min(handed, bytes);
    const uint64_t frame = settings.frames.GetMessageWire(std::min(settings.frames.mtu, bytes));
    MessagePipeline pipeline;
    pipeline.before = static_cast<double>(out.latency) + out.storing * static_cast<double>(segment);
    pipeline.sending = pipeline.before;
    pipeline.behind = times.storing * static_cast<double>(frame);
    const bool isHeldBackBefore = out.slowest > std::max(times.slowest, in.slowest);
    if (isHeldBackBefore)
    {
        const uint64_t rest = getRest(segment);
        const double waiting =
            segment == bytes ? 0 : getSending(segment) - out.slowest * static_cast<double>(rest);
        pipeline.before -= out.slowest * static_cast<double>(segment);
        pipeline.behind += getSending(rest) + std::max(0.0, waiting);
    }
    if (!isHeldBackBefore && in.slowest > times.slowest)
    {
        pipeline.handing = getSending(first);
        pipeline.last = (in.storing - in.slowest) * static_cast<double>(first);
    }
    else
    {
        const uint64_t rest = getRest(handed);
        const double alone = in.storing * static_cast<double>(rest);
        const double behindAWhole = in.storing * static_cast<double>(handed) +
                                    in.slowest * static_cast<double>(rest) - getSending(rest);
        pipeline.last = first == bytes ? alone : std::max(alone, behindAWhole);
    }
    pipeline.last += static_cast<double>(in.latency);
    return pipeline;
}

} // namespace ns3::rails
