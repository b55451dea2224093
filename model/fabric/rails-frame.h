// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FRAME_H
#define RAILS_FRAME_H

#include "ns3/rails-route.h"
#include "ns3/rails-units.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

struct Transfer;

/// What a frame is for.
enum class FrameKind : uint8_t
{
    Data,
    Ack,
    Nak,
    Cnp,
    Pause
};

/// Traffic classes, in the order of their priority. Control (ACK, NAK, CNP) is never paused.
constexpr uint8_t kControlClass = 0;
constexpr uint8_t kDataClass = 1;
constexpr uint8_t kTrafficClasses = 2;

/// Where a NIC is attached: a switch and the port of that switch.
struct NicAddress
{
    uint32_t edge{0}; //!< number of the switch among the switches
    uint32_t port{0}; //!< port of that switch
};

/// What CONGA writes into a frame (SIGCOMM'14, section 3.3).
struct CongestionTag
{
    uint8_t uplink{0};         //!< port by which the frame left its first switch
    uint8_t metric{0};         //!< largest load of the links it crossed
    uint8_t feedbackUplink{0}; //!< a path the other way, and
    uint8_t feedbackMetric{0}; //!< the load that its frames met
    bool hasFeedback{false};   //!< whether the two fields of feedback are set
};

/// What a port of a switch says of itself when a frame begins to leave it (in-band telemetry).
struct PortReport
{
    uint32_t node{0};       //!< ns-3 node number of the switch
    uint32_t port{0};       //!< number among its ports
    uint64_t queueBytes{0}; //!< bytes that wait behind the frame
    uint64_t wireBytes{0};  //!< sent since the start of the run, before the frame
    TimePs at{0};           //!< when
    uint64_t rateBps{0};    //!< bit/s
};

/// What switches write into a frame for others to read; an answer brings it back.
struct Telemetry
{
    /// Most ports that are reported: the first ones of a longer way.
    static constexpr uint8_t kMostPorts = 8;

    void Clear()
    {
        congestion = {};
        ports = 0; // reports beyond that are never read
    }

    void Add(const PortReport& report)
    {
        if (ports < kMostPorts)
        {
            reports[ports++] = report;
        }
    }

    CongestionTag congestion;
    uint8_t ports{0};                           //!< ports that have reported
    std::array<PortReport, kMostPorts> reports; //!< in the order of the way
};

/**
 * A frame as it travels: pooled, moved by pointer, without payload bytes. An ns3::Packet is made of
 * it only where somebody listens.
 */
struct Frame
{
    Frame* next{nullptr};        //!< the frame behind this one in a queue or in the pool
    Transfer* transfer{nullptr}; //!< data: of the message whose bytes it carries
    uint64_t psn{0};             //!< data: its own number; ACK, NAK: the frame that is answered
    uint64_t cumulative{0};      //!< ACK, NAK: all frames below this number have arrived
    TimePs sentAt{0};            //!< when the data frame was sent; ACKs bring it back
    NicAddress destination;      //!< where it goes
    uint32_t sourceEdge{0};      //!< switch that the sending NIC is attached to
    uint32_t sourceNic{0};       //!< NIC that sent it
    uint32_t destinationNic{0};  //!< NIC that it is for
    uint32_t queuePair{0};       //!< number of the queue pair's end at the destination NIC
    uint32_t entropy{0};         //!< what switches hash besides the two NICs (UDP source port)
    uint32_t bytes{0};           //!< length with headers and FCS, as buffers count it
    uint32_t payload{0};         //!< data: message bytes carried
    uint32_t quanta{0};          //!< pause: time in units of 512 bit times, 0 resumes
    uint32_t ingress{0};         //!< port by which it came into the switch that holds it
    FrameKind kind{FrameKind::Data};
    uint8_t trafficClass{kDataClass}; //!< queue it waits in; pause: the class that is paused
    bool ecnCapable{false};           //!< whether switches may mark it
    bool isRepeat{false};             //!< data: it had been sent before
    bool marked{false};            //!< congestion experienced; by an ACK, or by the data it answers
    bool wantsReports{false};      //!< data: ports of switches shall report to its telemetry
    uint8_t hop{0};                //!< ports of its route that it has taken
    Route route;                   //!< source route; without one the switches choose
    Telemetry* telemetry{nullptr}; //!< its own, where the pool has been told that somebody uses it
};

/// Hands out frames and takes them back; memory grows to the largest number in use at a time.
class FramePool
{
  public:
    /// \return a frame with all fields at their defaults
    Frame* Allocate();

    /// Takes a frame back.
    void Release(Frame* frame);

    /// Gives all frames telemetry; to be called before the first one is handed out.
    void Equip();

    /// \return frames handed out and not yet returned
    uint64_t GetInUse() const;

  private:
    static constexpr std::size_t kBlock = 1024;

    /// Beside its frame, telemetry is near when the frame is.
    struct Equipped
    {
        Frame frame;
        Telemetry telemetry;
    };

    void Grow();

    std::vector<std::unique_ptr<Frame[]>> m_blocks;
    Frame* m_free{nullptr};
    std::vector<std::unique_ptr<Equipped[]>> m_equippedBlocks;
    bool m_isEquipped{false};
    uint64_t m_inUse{0};
};

/// First in, first out, linked through the frames themselves.
class FrameQueue
{
  public:
    bool IsEmpty() const
    {
        return m_head == nullptr;
    }

    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    const Frame* Peek() const
    {
        return m_head;
    }

    void Push(Frame* frame)
    {
        frame->next = nullptr;
        *m_tail = frame;
        m_tail = &frame->next;
        m_bytes += frame->bytes;
    }

    Frame* Pop()
    {
        Frame* frame = m_head;
        m_head = frame->next;
        if (!m_head)
        {
            m_tail = &m_head;
        }
        m_bytes -= frame->bytes;
        return frame;
    }

    FrameQueue() = default;
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

  private:
    Frame* m_head{nullptr};
    Frame** m_tail{&m_head};
    uint64_t m_bytes{0};
};

} // namespace ns3::rails

#endif // RAILS_FRAME_H
