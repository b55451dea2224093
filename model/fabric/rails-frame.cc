// SPDX-License-Identifier: GPL-2.0-only
#include "rails-frame.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rails
{

void
FramePool::EnableTelemetry()
{
    NS_ASSERT_MSG(m_blocks.empty(), "there are frames without telemetry");
    m_isEquipped = true;
}

void
FramePool::Grow()
{
    const auto add = [this](Frame& frame) {
        frame.next = m_free;
        m_free = &frame;
    };
    if (!m_isEquipped)
    {
        m_blocks.push_back(std::make_unique<Frame[]>(kBlock));
        std::for_each_n(m_blocks.back().get(), kBlock, add);
        return;
    }
    m_equippedBlocks.push_back(std::make_unique<Equipped[]>(kBlock));
    std::for_each_n(m_equippedBlocks.back().get(), kBlock, [&](Equipped& equipped) {
        equipped.frame.telemetry = &equipped.telemetry;
        add(equipped.frame);
    });
}

Frame*
FramePool::Allocate()
{
    if (!m_free)
    {
        Grow();
    }
    Frame* frame = m_free;
    m_free = frame->next;
    Telemetry* telemetry = frame->telemetry;
    *frame = Frame{};
    if (telemetry)
    {
        frame->telemetry = telemetry;
        telemetry->Clear();
    }
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

} // namespace ns3::rails
