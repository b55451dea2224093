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
 * Places experts anew by EPLB, once in a period: a second base of policies that do so, whatever
 * they know when tokens come. It has the attributes that they share.
 */
class EplbReplacement
{
  public:
    /// How experts are dealt to servers.
    enum Mode
    {
        AUTO,
        HIERARCHICAL,
        GLOBAL
    };

  protected:
    /// \param slots replicas of a GPU, unless they are given
    explicit EplbReplacement(uint32_t slots)
        : m_defaultSlots(slots)
    {
    }

    ~EplbReplacement() = default;

    /**
     * \param id a policy that derives from this class
     * \param slots in words how many there are by default, and why
     * \return the policy, with the attributes
     */
    static TypeId AddEplbAttributes(TypeId id, const std::string& slots);

    /// \return what a policy that derives from this class says of its slots
    SlotRule GetEplbRule(const ExpertSetting& setting) const;

    /// \throws ConfigurationError with the key when experts cannot be dealt so
    void CheckEplb(const ExpertSetting& setting) const;

    /// \return iterations from one placement to the next
    uint32_t GetEplbPeriod() const
    {
        return m_period;
    }

    /// Begins anew: nothing has been placed yet.
    void StartEplb(const ExpertSetting& setting);

    /// To be asked once before each iteration. \return where the experts of a layer are from now
    /// on, by what they had to do; nothing: they stay
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
