// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_PAIR_H
#define PORT_PAIR_H

#include "ns3/rails-agenda.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-port.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

/// A received frame with its time.
struct Arrival
{
    TimePs at;
    FrameKind kind;
    uint64_t psn;
};

inline bool
operator==(const Arrival& a, const Arrival& b)
{
    return a.at == b.at && a.kind == b.kind && a.psn == b.psn;
}

inline std::ostream&
operator<<(std::ostream& os, const Arrival& arrival)
{
    return os << "{" << arrival.at << " ps, kind " << static_cast<int>(arrival.kind) << ", "
              << arrival.psn << "}";
}

/// A port owner that records calls and supplies frames from a list.
class FakeOwner : public PortOwner
{
  public:
    explicit FakeOwner(FramePool& pool)
        : m_pool(pool)
    {
    }

    void Receive(Frame* frame, Port& port) override
    {
        arrivals.push_back({port.GetAgenda().Now(), frame->kind, frame->psn});
        marks.push_back(frame->marked);
        if (onReceive)
        {
            onReceive(*frame);
        }
        m_pool.Release(frame);
    }

    void Departed(Port& port, uint32_t ingress, uint8_t trafficClass, uint32_t bytes) override
    {
        departures.push_back({port.GetAgenda().Now(), ingress, trafficClass, bytes});
    }

    Frame* Pull(Port&) override
    {
        ++pulls;
        if (supply.empty())
        {
            return nullptr;
        }
        Frame* frame = supply.front();
        supply.pop_front();
        return frame;
    }

    struct Departure
    {
        TimePs at;
        uint32_t ingress;
        uint8_t trafficClass;
        uint32_t bytes;
    };

    std::vector<Arrival> arrivals;
    std::vector<bool> marks;                     //!< whether each arrival was marked
    std::function<void(const Frame&)> onReceive; //!< called for each arrival, if set
    std::vector<Departure> departures;
    std::deque<Frame*> supply;
    uint64_t pulls{0};

  private:
    FramePool& m_pool;
};

/// The far end of a link to the tested object.
struct Host
{
    explicit Host(FramePool& pool)
        : owner(pool)
    {
    }

    FakeOwner owner;
    Agenda agenda;
    Ptr<Port> port;
};

/// Two ports with a link between them: `left` sends, `right` receives and pauses.
class PortPair
{
  public:
    PortPair(uint64_t rateBps, TimePs delay)
        : leftOwner(pool),
          rightOwner(pool),
          left(CreateObject<Port>(Port::Identity{0, 0, "left", rateBps},
                                  leftOwner,
                                  m_leftAgenda,
                                  pool)),
          right(CreateObject<Port>(Port::Identity{1, 0, "right", rateBps},
                                   rightOwner,
                                   m_rightAgenda,
                                   pool))
    {
        left->Connect(*right, delay);
        right->Connect(*left, delay);
    }

    ~PortPair()
    {
        Simulator::Destroy();
    }

    /// \return a frame of the pool
    Frame* MakeFrame(FrameKind kind, uint64_t psn, uint32_t bytes)
    {
        Frame* frame = pool.Allocate();
        frame->kind = kind;
        frame->trafficClass = kind == FrameKind::Data ? kDataClass : kControlClass;
        frame->ecnCapable = kind == FrameKind::Data;
        frame->psn = psn;
        frame->bytes = bytes;
        return frame;
    }

    /// Calls a function at a simulated time.
    void At(TimePs at, std::function<void()> action)
    {
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(at)),
                            [this, action = std::move(action)] {
                                m_leftAgenda.CatchUp();
                                m_rightAgenda.CatchUp();
                                action();
                            });
    }

    FramePool pool;
    FakeOwner leftOwner;
    FakeOwner rightOwner;

  private:
    Agenda m_leftAgenda;
    Agenda m_rightAgenda;

  public:
    Ptr<Port> left;
    Ptr<Port> right;
};

} // namespace ns3::rails::test

#endif // PORT_PAIR_H
