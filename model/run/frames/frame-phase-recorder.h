// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_PHASE_RECORDER_H
#define FRAME_PHASE_RECORDER_H

#include "ns3/frame-engine.h"
#include "ns3/rails-explanation.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-port.h"
#include "ns3/rails-units.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Records, phase by phase, the states of every port, the wire times of data and of all traffic at
 * its best rate, and the time that it lost to outages or lower rates. Listens to frames, queues and
 * pauses.
 */
class FramePhaseRecorder
{
  public:
    /// The largest time of all ports in a phase.
    struct Largest
    {
        TimePs time{0};
        std::size_t port{0}; //!< index among all ports
    };

    /// One phase with traffic, when it is over.
    struct Phase
    {
        Largest first;           //!< wire time of data frames, without retransmissions
        double firstOverMean{0}; //!< `first` over the mean of all ports of the class of that port
        Largest carried;         //!< wire time of all traffic that got through
        /// As `carried`, with the time in which the link of the port was down, or that it lost to a
        /// lower rate, before the last frame: a later outage costs nothing.
        Largest carriedAndLost;
        std::optional<std::size_t> lastNic;   //!< NIC that sent the last data frame
        std::optional<std::size_t> lastCable; //!< port of a switch that sent the last data frame
        PortStateTimes nic{};                 //!< states of lastNic
        PortStateTimes cable{};               //!< states of lastCable
    };

    /// \param cluster whose ports are recorded from now on
    explicit FramePhaseRecorder(Ptr<FrameEngine> cluster);
    ~FramePhaseRecorder();
    FramePhaseRecorder(const FramePhaseRecorder&) = delete;
    FramePhaseRecorder& operator=(const FramePhaseRecorder&) = delete;

    /// A phase with traffic starts now; all nodes have caught up.
    void StartPhase();

    /// The phase ends now; all nodes have caught up.
    void EndPhase();

    /// Links went down, came up or changed their rate now; their nodes have caught up.
    void NoteCables();

    /// \return the phases that are over
    const std::vector<Phase>& GetPhases() const
    {
        return m_phases;
    }

  private:
    // Time multiplied with a rate.
    using Volume = boost::multiprecision::uint128_t;

    // Data of one port.
    struct Probe
    {
        void OnTransmit(Time at, const Frame& frame);
        void OnQueue(Time now, uint64_t before, uint64_t after);
        void OnPaused(Time now, uint8_t trafficClass, bool paused);
        void Note(Time at);
        void Account(TimePs now);
        void Start(TimePs now);
        void CloseRate(TimePs now);
        PortState FindState(TimePs now) const;
        TimePs GetAtBestRate(const Volume& volume) const;

        Port* port;
        const RdmaNic* nic; // nullptr of a switch's port

        PortState state{PortState::Idle};
        TimePs since{0}; // time up to which `times` counts
        PortStateTimes times{};

        // The frame sent last.
        TimePs sendsUntil{0};
        bool getsThrough{false};
        bool isFirst{false};
        TimePs lastData{0}; // end of the last data frame

        // Times at the present rate, and volumes before the last change of the rate.
        uint64_t rateBps{0};
        uint64_t bestRateBps{0};
        bool isUp{true};
        TimePs rateSince{0};
        TimePs first{0};
        TimePs carried{0};
        Volume firstBefore{0};
        Volume carriedBefore{0};
        Volume offered{0};          // capacity of the link so far
        TimePs lastCarried{0};      // end of the last frame that got through
        TimePs offeredUntil{0};     // lastCarried, as of the last change of the rate
        Volume offeredUntilThen{0}; // `offered` at offeredUntil
    };

    void Compare(const Probe& probe, std::size_t number, Phase& phase) const;

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes; // stay in place: trace sinks
    TimePs m_start{0};
    std::vector<Phase> m_phases;
};

} // namespace ns3::rails

#endif // FRAME_PHASE_RECORDER_H
