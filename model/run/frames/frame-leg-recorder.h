// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_LEG_RECORDER_H
#define FRAME_LEG_RECORDER_H

#include "ns3/frame-engine.h"
#include "ns3/leg-recorder.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-port.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// Records legs of frames. What it counts are ports; a message has taken those by which its last
/// frame came.
class FrameLegRecorder : public LegRecorder
{
  public:
    /**
     * \param cluster whose ports are watched from now on
     * \param speeds how fast it is at its best
     */
    FrameLegRecorder(Ptr<FrameEngine> cluster, const ClusterSpeeds& speeds);
    ~FrameLegRecorder() override;

    bool HasRepeats() const override;

  private:
    /// Listens at a port.
    struct Probe
    {
        void OnTransmit(const Frame& frame);

        FrameLegRecorder* recorder;
        Port* port;
        uint32_t number; //!< among all ports
        bool isNic;
    };

    std::string GetCableName(uint32_t cable) const override;
    uint64_t GetRate(uint32_t cable) const override;
    void AddToCables(const Message& message, StepLoads& loads) override;
    std::vector<uint32_t> FindCables(const Message& message) override;
    void Forget(const Message& message) override;
    void OnTransmit(const Probe& probe, const Frame& frame);

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes;                                 // stay in place: trace sinks
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_ways; // by message
};

} // namespace ns3::rails

#endif // FRAME_LEG_RECORDER_H
