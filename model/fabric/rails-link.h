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

/// Far end of a link.
class LinkEnd
{
  public:
    virtual ~LinkEnd() = default;

    /// A frame has arrived over the link.
    virtual void Receive(Frame* frame) = 0;

    /**
     * A frame is about to arrive: a hint to prefetch the memory that its arrival needs.
     * \param frame the frame
     * \param next true for the next frame over the link, false for the frame after the next
     */
    virtual void PrefetchFor(const Frame& frame, bool next) const = 0;
};

/**
 * One direction of a link: frames arrive in the order in which they were sent, after the
 * propagation delay. Frames other than pause frames may be lost at random; a cut link loses all.
 */
class Link
{
  public:
    /**
     * \param destination the port at the far end
     * \param rank of this link's arrivals among all arrivals of an instant at the far node
     * \param agenda agenda of the node at the far end
     * \param pool takes back lost frames
     * \param delay propagation delay, not negative
     */
    Link(LinkEnd& destination, uint32_t rank, Agenda& agenda, FramePool& pool, TimePs delay);

    /**
     * A frame begins to leave.
     * \param frame the frame; the link takes ownership
     * \param lastBit time when its last bit leaves
     */
    void Send(Frame* frame, TimePs lastBit);

    /**
     * Loses frames at random.
     * \param probability that a frame is lost
     * \param random stream of the draws
     */
    void SetLoss(double probability, Ptr<UniformRandomVariable> random);

    /**
     * Cuts or repairs the link. A cut link loses all frames that are sent. The nodes at both ends
     * must have caught up to this instant.
     * \param up true to repair, false to cut
     * \param losesFlying whether a cut also loses frames in flight; pause frames in flight are
     * always lost, as both ends renew their pauses when the link comes up
     */
    void SetUp(bool up, bool losesFlying);

    bool IsUp() const
    {
        return m_up;
    }

    TimePs GetDelay() const
    {
        return m_delay;
    }

    /// \return frames lost
    uint64_t GetLosses() const
    {
        return m_losses;
    }

    /// \return data, ACK, NAK and CNP frames that crossed it
    uint64_t GetFrames() const
    {
        return m_frames;
    }

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
    uint32_t m_cutOnTheWay{0}; // number of frames in flight that were sent before the last cut
    bool m_losesFlying{false}; // whether all these frames are lost, or only pause frames
    double m_lossProbability{0};
    Ptr<UniformRandomVariable> m_random;
    boost::circular_buffer<Flying> m_flying;
    MemberTask<Link, &Link::Arrive> m_arrival;
    uint64_t m_losses{0};
    uint64_t m_frames{0};
};

} // namespace ns3::rails

#endif // RAILS_LINK_H
