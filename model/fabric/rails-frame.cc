// SPDX-License-Identifier: GPL-2.0-only
#include "rails-frame.h"

namespace ns3::rails
{

Frame*
FramePool::Allocate()
{
    if (!m_free)
    {
        m_blocks.push_back(std::make_unique<Frame[]>(kBlock));
        Frame* block = m_blocks.back().get();
        for (std::size_t i = 0; i < kBlock; ++i)
        {
            block[i].next = m_free;
            m_free = &block[i];
        }
    }
    Frame* frame = m_free;
    m_free = frame->next;
    *frame = Frame{};
    ++m_inUse;
    return frame;
}

void
FramePool::Release(Frame* frame)
{
    frame->next = m_free;
    m_free = frame;
    --m_inUse;
}

uint64_t
FramePool::GetInUse() const
{
    return m_inUse;
}

} // namespace ns3::rails
