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

struct MessageState;

/// Kind of a frame.
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

/// The switch and the port where a NIC is attached.
struct NicAddress
{
    uint32_t edge{0}; //!< number of the switch among the switches
    uint32_t port{0}; //!< port of that switch
};

/// Header of CONGA in a frame (SIGCOMM'14, section 3.3).
struct CongestionTag
{
    uint8_t uplink{0};         //!< port by which the frame left its first switch
    uint8_t metric{0};         //!< largest load of the links crossed
    uint8_t feedbackUplink{0}; //!< first uplink of a path in the opposite direction
    uint8_t feedbackMetric{0}; //!< load of that path
    bool hasFeedback{false};   //!< whether the two feedback fields are set
};

/// State of a switch port when a frame begins to leave it (in-band telemetry).
struct PortReport
{
    uint32_t node{0};       //!< ns-3 node number of the switch
    uint32_t port{0};       //!< number among its ports
    uint64_t queueBytes{0}; //!< bytes queued behind the frame
    uint64_t wireBytes{0};  //!< bytes sent since the start of the run, before the frame
    TimePs at{0};           //!< time of the report
    uint64_t rateBps{0};    //!< bit/s
};

/// Data that switches write into a frame for other switches and NICs; an answer returns it.
struct Telemetry
{
    /// Largest number of reports; on a longer path only the first ports report.
    static constexpr uint8_t kMostPorts = 8;

    void Clear()
    {
        congestion = {};
        ports = 0; // reports from this index on are never read
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
    std::array<PortReport, kMostPorts> reports; //!< in the order of the path
};

/**
 * A frame in the simulated network: pooled, moved by pointer, without payload bytes. It becomes an
 * ns3::Packet only for connected traces.
 */
struct Frame
{
    Frame* next{nullptr};            //!< the frame behind this one in a queue or in the pool
    MessageState* transfer{nullptr}; //!< data: state of its message
    uint64_t psn{0};                 //!< data: its number; ACK, NAK: number of the answered frame
    uint64_t cumulative{0};          //!< ACK, NAK: all frames below this number have arrived
    TimePs sentAt{0};                //!< send time of the data frame; ACKs return it
    NicAddress destination;          //!< of the destination NIC
    uint32_t sourceEdge{0};          //!< switch of the sending NIC
    uint32_t sourceNic{0};           //!< number of the sending NIC
    uint32_t destinationNic{0};      //!< number of the destination NIC
    uint32_t queuePair{0};           //!< number of the queue pair's end at the destination NIC
    uint32_t entropy{0};             //!< input of ECMP besides the two NICs (UDP source port)
    uint32_t bytes{0};               //!< length with headers and FCS, as buffers count it
    uint32_t payload{0};             //!< data: message bytes carried
    uint32_t quanta{0};              //!< pause: time in units of 512 bit times, 0 resumes
    uint32_t ingress{0};             //!< input port at the present switch
    FrameKind kind{FrameKind::Data};
    uint8_t trafficClass{kDataClass}; //!< of its queue; pause: the class to pause
    bool ecnCapable{false};           //!< whether switches may mark it
    bool isRepeat{false};             //!< data: a retransmission
    bool marked{false};            //!< congestion experienced; ACK: by the ACK or by its data frame
    bool wantsReports{false};      //!< data: switch ports add reports to its telemetry
    uint8_t hop{0};                //!< ports of its route used so far
    Route route;                   //!< source route; empty: the switches choose
    Telemetry* telemetry{nullptr}; //!< of this frame; nullptr before FramePool::EnableTelemetry()
};

/// Pool of frames; memory grows to the largest number in use at a time.
class FramePool
{
  public:
    /// \return a frame with all fields at their defaults
    Frame* Allocate();

    /// Takes a frame back.
    void Release(Frame* frame);

    /// Gives all frames telemetry; to be called before the first Allocate().
    void EnableTelemetry();

    /// \return frames handed out and not yet returned
    uint64_t GetInUse() const
    {
        return m_inUse;
    }

  private:
    static constexpr std::size_t kBlock = 1024;

    /// A frame with its telemetry, adjacent for the cache.
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
