// SPDX-License-Identifier: GPL-2.0-only
#include "rails-link.h"

#include "rails-prefetch.h"

namespace ns3::rails
{

Link::Link(LinkEnd& destination, uint32_t rank, Agenda& agenda, FramePool& pool, TimePs delay)
    : m_destination(destination),
      m_agenda(agenda),
      m_pool(pool),
      m_delay(delay),
      m_flying(8),
      m_arrival(*this, TaskPhase::Arrival, rank)
{
}

void
Link::Send(Frame* frame, TimePs lastBit)
{
    if (!m_up)
    {
        m_losses += frame->kind == FrameKind::Pause ? 0 : 1;
        m_pool.Release(frame);
        return;
    }
    if (frame->kind != FrameKind::Pause)
    {
        if (m_random && m_random->GetValue() < m_lossProbability)
        {
            ++m_losses;
            m_pool.Release(frame);
            return;
        }
        ++m_frames;
    }
    const TimePs at = lastBit + m_delay;
    if (m_flying.full())
    {
        m_flying.set_capacity(2 * m_flying.capacity());
    }
    m_flying.push_back({at, frame});
    if (m_flying.size() == 1)
    {
        m_agenda.Schedule(at, m_arrival);
    }
}

void
Link::Arrive()
{
    Frame* frame = m_flying.front().frame;
    m_flying.pop_front();
    if (!m_flying.empty())
    {
        m_agenda.Schedule(m_flying.front().at, m_arrival);
        m_destination.PrefetchFor(*m_flying.front().frame, true);
        if (m_flying.size() > 2)
        {
            m_destination.PrefetchFor(*m_flying[1].frame, false);
            Prefetch(m_flying[2].frame, sizeof(Frame));
        }
    }
    if (m_cutOnTheWay > 0)
    {
        --m_cutOnTheWay;
        const bool isPause = frame->kind == FrameKind::Pause;
        if (m_losesFlying || isPause)
        {
            m_losses += isPause ? 0 : 1;
            m_frames -= isPause ? 0 : 1;
            m_pool.Release(frame);
            return;
        }
    }
    m_destination.Receive(frame);
}

void
Link::SetUp(bool up, bool losesFlying)
{
    m_up = up;
    if (!up)
    {
        m_cutOnTheWay = static_cast<uint32_t>(m_flying.size());
        m_losesFlying = losesFlying;
    }
}

void
Link::SetLoss(double probability, Ptr<UniformRandomVariable> random)
{
    m_lossProbability = probability;
    m_random = random;
}

} // namespace ns3::rails
