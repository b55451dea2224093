// SPDX-License-Identifier: GPL-2.0-only
#include "uec-bitmap-path-selector.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(UecBitmapPathSelector);

TypeId
UecBitmapPathSelector::GetTypeId()
{
    using Self = UecBitmapPathSelector;
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::UecBitmapPathSelector").SetParent<UecPathSelector>(),
                         "All paths in turn, except those on which frames were marked or lost "
                         "lately.")
            .SetGroupName("Rails")
            .AddConstructor<UecBitmapPathSelector>()
            .AddAttribute("MarkPenalty",
                          "Penalty of an entropy for an ACK with a mark. (uet-htsim)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::m_markPenalty),
                          MakeCountRange<uint32_t>(0, 255))
            .AddAttribute("LossPenalty",
                          "Penalty for a frame that is taken for lost. (that of a NACK in "
                          "uet-htsim)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Self::m_lossPenalty),
                          MakeCountRange<uint32_t>(0, 255))
            .AddAttribute("TimeoutPenalty",
                          "Penalty for a frame that is waited for when the loss recovery's "
                          "time-out passes. (uet-htsim)",
                          UintegerValue(15),
                          MakeUintegerAccessor(&Self::m_timeoutPenalty),
                          MakeCountRange<uint32_t>(0, 255))
            .AddAttribute("MaximumPenalty",
                          "The largest penalty that an entropy can have. (uet-htsim)",
                          UintegerValue(15),
                          MakeUintegerAccessor(&Self::m_maximumPenalty),
                          MakeCountRange<uint32_t>(1, 255));
    return tid;
}

void
UecBitmapPathSelector::Start(TimePs now, const PathContext& context)
{
    UecPathSelector::Start(now, context);
    m_penalties.assign(GetPaths(), 0);
}

void
UecBitmapPathSelector::Choose(TimePs /* now */, Frame& frame)
{
    const uint32_t index = TakeIndex();
    m_sent[frame.psn % kRemembered] = {static_cast<uint8_t>(index),
                                       static_cast<uint8_t>(frame.psn / kRemembered)};
    frame.entropy = GetEntropy(index);
}

uint32_t
UecBitmapPathSelector::TakeIndex()
{
    if (m_penalties[GetTurn()] > 0)
    {
        --m_penalties[GetTurn()];
        EndTurn();
        for (uint32_t left = GetPaths(); m_penalties[GetTurn()] > 0 && left > 1; --left)
        {
            EndTurn();
        }
    }
    const uint32_t index = GetTurn();
    EndTurn();
    return index;
}

void
UecBitmapPathSelector::OnFeedback(TimePs /* now */, const PathFeedback& feedback)
{
    switch (feedback.kind)
    {
    case PathFeedback::Kind::Ack:
        if (feedback.marked)
        {
            Punish(GetIndex(feedback.entropy), m_markPenalty);
        }
        break;
    case PathFeedback::Kind::Loss:
        PunishFrame(feedback.psn, m_lossPenalty);
        break;
    case PathFeedback::Kind::Timeout:
        PunishFrame(feedback.psn, m_timeoutPenalty);
        break;
    }
}

void
UecBitmapPathSelector::Punish(uint32_t index, uint32_t penalty)
{
    m_penalties[index] =
        static_cast<uint8_t>(std::min(m_penalties[index] + penalty, m_maximumPenalty));
}

void
UecBitmapPathSelector::PunishFrame(uint64_t psn, uint32_t penalty)
{
    const Sent sent = m_sent[psn % kRemembered];
    if (sent.epoch == static_cast<uint8_t>(psn / kRemembered))
    {
        Punish(sent.index, penalty);
    }
}

} // namespace ns3::rails
