// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_LINK_H
#define RAILS_LINK_H

#include "rails-agenda.h"
#include "rails-frame.h"

#include "ns3/random-variable-stream.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3::rails
{

/// What a link leads to.
class LinkEnd
{
  public:
    virtual ~LinkEnd() = default;

    /// A frame has arrived over the link.
    virtual void Receive(Frame* frame) = 0;

    /**
     * A frame is about to arrive: what its arrival will touch may be brought near the processor.
     * \param frame the frame
     * \param next true for the next frame over the link, false for the one behind that
     */
    virtual void PrefetchFor(const Frame& frame, bool next) const = 0;
};

/**
 * One direction of a cable: frames arrive in the order in which they were sent, after the
 * propagation delay; some are lost at random, pause frames never, and all while it is cut.
 */
class Link
{
  public:
    /**
     * \param destination the port at the far end
     * \param rank of this link's arrivals among all arrivals of an instant at the far node
     * \param agenda agenda of the node at the far end
     * \param pool where lost frames go
     * \param delay propagation delay, not negative
     */
    Link(LinkEnd& destination, uint32_t rank, Agenda& agenda, FramePool& pool, TimePs delay);

    /**
     * A frame begins to leave.
     * \param frame the frame, the link's from here on
     * \param lastBit when its last bit leaves
     */
    void Send(Frame* frame, TimePs lastBit);

    /**
     * Loses frames at random.
     * \param probability that a frame is lost
     * \param random where the draws come from
     */
    void SetLoss(double probability, Ptr<UniformRandomVariable> random);

    /**
     * Cuts the cable or mends it. While it is cut, whatever is sent is lost. The nodes at both ends
     * must have been brought up to this instant.
     * \param up whether frames get through
     * \param losesFlying when cut, whether frames on their way are lost too; pause frames are lost
     * in any case, as both ends agree on pauses anew when the cable comes up
     */
    void SetUp(bool up, bool losesFlying);

    bool IsUp() const;

    TimePs GetDelay() const;
    /// \return frames lost
    uint64_t GetLosses() const;
    /// \return data, ACK, NAK and CNP frames that crossed it
    uint64_t GetFrames() const;

  private:
    struct Flying
    {
        TimePs at;
        Frame* frame;
    };

    void Arrive();

    LinkEnd& m_destination;
    Agenda& m_agenda;
    FramePool& m_pool;
    TimePs m_delay;
    bool m_up{true};
    uint32_t m_cutOnTheWay{0}; // the first so many of those on the way were there when it was cut
    bool m_losesFlying{false}; // whether all of these are lost, or only the pause frames
    double m_lossProbability{0};
    Ptr<UniformRandomVariable> m_random;
    boost::circular_buffer<Flying> m_flying;
    MemberTask<Link, &Link::Arrive> m_arrival;
    uint64_t m_losses{0};
    uint64_t m_frames{0};
};

} // namespace ns3::rails

#endif // RAILS_LINK_H
