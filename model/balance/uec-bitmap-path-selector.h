// SPDX-License-Identifier: GPL-2.0-only
#ifndef UEC_BITMAP_PATH_SELECTOR_H
#define UEC_BITMAP_PATH_SELECTOR_H

#include "uec-path-selector.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Walks over all entropies but those that were marked or lost lately: `balance.host: uec-bitmap`.
 * Each entropy has a penalty. Those whose penalty is not zero are passed over; the first that a
 * frame passes over has its penalty lowered by one. If none is without a penalty, the frame takes
 * the entropy that the walk has come to.
 */
class UecBitmapPathSelector : public Forkable<UecBitmapPathSelector, UecPathSelector>
{
  public:
    static TypeId GetTypeId();

    UecBitmapPathSelector()
    {
        m_traits.usesFeedback = true;
        m_traits.usesEcn = true;
    }

    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    void OnFeedback(TimePs now, const PathFeedback& feedback) override;

  protected:
    /// \return the number of the entropy for the next frame
    virtual uint32_t TakeIndex();

  private:
    // What a frame was sent with. Feedback of a loss has its PSN alone.
    struct Sent
    {
        uint8_t index; // of the entropy
        uint8_t epoch; // how often the record has been filled, modulo 256
    };

    static constexpr std::size_t kRemembered = 256; // frames

    void Punish(uint32_t index, uint32_t penalty);
    void PunishFrame(uint64_t psn, uint32_t penalty);

    uint32_t m_markPenalty{0};
    uint32_t m_lossPenalty{0};
    uint32_t m_timeoutPenalty{0};
    uint32_t m_maximumPenalty{0};

    std::vector<uint8_t> m_penalties;
    std::array<Sent, kRemembered> m_sent{};
};

} // namespace ns3::rails

#endif // UEC_BITMAP_PATH_SELECTOR_H
