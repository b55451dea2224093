// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_SEGMENT_RECORDER_H
#define FRAME_SEGMENT_RECORDER_H

#include "ns3/frame-engine.h"
#include "ns3/path-segment-recorder.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-port.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// Records path segments of a packet-level run, by sending port. The path of a message is that of
/// its last frame.
class FrameSegmentRecorder : public PathSegmentRecorder
{
  public:
    /**
     * \param cluster whose ports are recorded from now on
     * \param speeds of the cluster at its best
     */
    FrameSegmentRecorder(Ptr<FrameEngine> cluster, const ClusterSpeeds& speeds);
    ~FrameSegmentRecorder() override;

    bool HasRepeats() const override;

  private:
    /// Listens at a port.
    struct Probe
    {
        void OnTransmit(Time now, const Frame& frame);

        FrameSegmentRecorder* recorder;
        Port* port;
        uint32_t number; //!< index among all ports
        bool isNic;
    };

    std::string GetCableName(uint32_t cable) const override;
    uint64_t GetRate(uint32_t cable) const override;
    void AddToCables(const Message& message, StepLoads& loads) override;
    std::vector<uint32_t> FindCables(const Message& message) override;
    void Forget(const Message& message) override;
    void OnTransmit(const Probe& probe, TimePs now, const Frame& frame);

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes;                                 // stay in place: trace sinks
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_ways; // ports of paths, by message
};

} // namespace ns3::rails

#endif // FRAME_SEGMENT_RECORDER_H
