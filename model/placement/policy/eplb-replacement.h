// SPDX-License-Identifier: GPL-2.0-only
#ifndef EPLB_REPLACEMENT_H
#define EPLB_REPLACEMENT_H

#include "replacement-clock.h"

#include "ns3/expert-placement.h"
#include "ns3/expert-slots.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * Second base of policies that place experts by EPLB once per period, whatever they know about
 * current tokens. It holds their common attributes.
 */
class EplbReplacement
{
  public:
    /// Assignment of experts to servers.
    enum Mode
    {
        AUTO,
        HIERARCHICAL,
        GLOBAL
    };

  protected:
    /// \param slots default number of replica slots of a GPU
    explicit EplbReplacement(uint32_t slots)
        : m_defaultSlots(slots)
    {
    }

    ~EplbReplacement() = default;

    /**
     * \param id a policy that derives from this class
     * \param slots text on the default number of slots, and its reason
     * \return the policy, with the attributes
     */
    static TypeId AddEplbAttributes(TypeId id, const std::string& slots);

    /// \return the slot rule of a derived policy
    SlotRule GetEplbRule(const ExpertSetting& setting) const;

    /// \throws ConfigurationError with the key when groups, servers or slots do not fit
    void CheckEplb(const ExpertSetting& setting) const;

    /// \return iterations from one placement to the next
    uint32_t GetEplbPeriod() const
    {
        return m_period;
    }

    /// Resets the state, before the first placement.
    void StartEplb(const ExpertSetting& setting);

    /// To be called once before each iteration. \return the new placement of a layer by its past
    /// loads; nothing: unchanged
    std::optional<ExpertPlacement> PlaceWhenDue(const ExpertSetting& setting,
                                                uint32_t layer,
                                                const LoadHistory& history);

  private:
    uint32_t GetExpertGroups(const ExpertSetting& setting) const;
    bool IsHierarchical(const ExpertSetting& setting) const;
    uint32_t GetEplbSlots(const ExpertSetting& setting) const;

    Mode m_mode{AUTO};
    uint32_t m_defaultSlots;
    std::optional<uint32_t> m_slots;
    std::optional<uint32_t> m_expertGroups;
    uint32_t m_period{1};
    uint32_t m_window{1};
    ReplacementClock m_clock;
};

} // namespace ns3::rails

#endif // EPLB_REPLACEMENT_H
