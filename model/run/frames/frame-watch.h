// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_WATCH_H
#define FRAME_WATCH_H

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
 * What every port did and waited for, phase by phase: how long data sent for the first time and
 * everything it carried take at its best rate, and how much it lost to its cable being down or
 * slower. Listens to frames, queues and pauses.
 */
class FrameWatch
{
  public:
    /// The largest of all ports in a phase.
    struct Largest
    {
        TimePs time{0};
        std::size_t port{0}; //!< its place among the cluster's
    };

    /// One phase with traffic, when it is over.
    struct Phase
    {
        Largest first;           //!< wire time of data frames sent for the first time
        double firstOverMean{0}; //!< `first` over the mean of all ports of the class of that port
        Largest carried;         //!< wire time of everything that got through
        /// As `carried`, with the time in which the cable of the port was down, or that it lost to
        /// a lower rate, before the last frame: an outage after that frame costs nobody anything.
        Largest carriedAndLost;
        std::optional<std::size_t> lastNic;   //!< NIC that sent the last data frame
        std::optional<std::size_t> lastCable; //!< port of a switch that sent the last data frame
        PortStateTimes nic{};                 //!< what lastNic did
        PortStateTimes cable{};               //!< what lastCable did
    };

    /// \param cluster whose ports are watched from now on
    explicit FrameWatch(Ptr<FrameEngine> cluster);
    ~FrameWatch();
    FrameWatch(const FrameWatch&) = delete;
    FrameWatch& operator=(const FrameWatch&) = delete;

    /// A phase with traffic starts now; all nodes are up to date.
    void StartPhase();

    /// The phase ends now; all nodes are up to date.
    void EndPhase();

    /// Cables went down, came up or changed their rate now; their nodes are up to date.
    void NoteCables();

    /// \return the phases that are over
    const std::vector<Phase>& GetPhases() const;

  private:
    // Time multiplied with a rate.
    using Volume = boost::multiprecision::uint128_t;

    // What is known of one port.
    struct Probe
    {
        void OnTransmit(const Frame& frame);
        void OnQueue(uint64_t before, uint64_t after);
        void OnPaused(uint8_t trafficClass, bool paused);
        void Note();
        void Account(TimePs now);
        void Start(TimePs now);
        void CloseRate(TimePs now);
        PortState FindState(TimePs now) const;
        TimePs GetAtBestRate(const Volume& volume) const;

        Port* port;
        const RdmaNic* nic; // nullptr of a switch's port

        PortState state{PortState::Idle};
        TimePs since{0}; // of what is not accounted yet
        PortStateTimes times{};

        // The frame being sent last.
        TimePs sendsUntil{0};
        bool getsThrough{false};
        bool isFirst{false};
        TimePs lastData{0}; // end of the last data frame

        // At the present rate, and what went before it.
        uint64_t rateBps{0};
        uint64_t bestRateBps{0};
        bool isUp{true};
        TimePs rateSince{0};
        TimePs first{0};
        TimePs carried{0};
        Volume firstBefore{0};
        Volume carriedBefore{0};
        Volume offered{0};          // what the cable could have carried
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

#endif // FRAME_WATCH_H
