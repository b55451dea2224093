// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXTERNAL_EXPERT_POLICY_H
#define EXTERNAL_EXPERT_POLICY_H

#include "replacement-clock.h"

#include "ns3/placement-policy.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Input of an external program, sent once before the first request.
struct ExternalPolicySetting
{
    std::string name;
    ExpertSetting setting;
    uint32_t slots{0};       //!< see ExternalExpertPolicy
    ExpertPlacement inOrder; //!< initial placement
};

/// The program behind an external policy.
class ExternalPlanner
{
  public:
    ExternalPlanner() = default;
    ExternalPlanner(const ExternalPlanner&) = delete;
    ExternalPlanner& operator=(const ExternalPlanner&) = delete;
    virtual ~ExternalPlanner() = default;

    /**
     * \param layer from 0
     * \param loads tokens by expert of past iterations, latest first
     * \param now current placement
     * \return the new placement, unchecked; nothing: unchanged
     * \throws ConfigurationError when there is no answer, or an unreadable one
     */
    virtual std::optional<ExpertPlacement> Place(uint32_t layer,
                                                 const std::vector<std::vector<uint64_t>>& loads,
                                                 const ExpertPlacement& now) = 0;

    /// \return number of lines written by the program; the last is its latest answer
    virtual uint64_t GetLines() const = 0;
};

/// Starts the program of a policy.
using ExternalPlannerMaker =
    std::function<std::unique_ptr<ExternalPlanner>(const ExternalPolicySetting&)>;

/**
 * `external`: a PlacementPolicy whose decisions come from another program. The program gets the
 * loads known to this class of policies, and its answers are checked. The experiment sets the
 * program by SetMaker(); without it the policy can be described and checked, but not run.
 */
class ExternalExpertPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    ExternalExpertPolicy()
    {
        m_traits.plansOneGroup = true;
    }

    void Check(const ExpertSetting& setting) const override;
    bool DealsUnevenly() const override;

    uint32_t GetPeriod() const override
    {
        return m_period;
    }

    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    std::string DescribeOrigin() const override;

    /// \return name of its program
    const std::string& GetName() const
    {
        return m_name;
    }

    /// \param maker starts the program, again after each Start()
    void SetMaker(ExternalPlannerMaker maker);

  protected:
    void DoDispose() override;

  private:
    void DoStart() override;
    std::optional<ExpertPlacement> Place(uint32_t layer, const LoadHistory& history) override;

    ExternalPlanner& GetPlanner();
    std::string FindFault(const ExpertPlacement& placement) const;

    std::string m_name;
    std::optional<uint32_t> m_slots;
    uint32_t m_period;
    uint32_t m_window;
    ReplacementClock m_clock;
    ExternalPlannerMaker m_maker;
    std::unique_ptr<ExternalPlanner> m_planner; //!< started on first use
};

/// \return an error message with the policy's name as prefix
/// \param place position of the error, such as "layer 3, line 5"; may be empty
std::string DescribeExternalFault(const std::string& name,
                                  const std::string& place,
                                  const std::string& fault);

/// \return error message of an external policy without a program
std::string DescribeMissingProgram(const std::string& name);

} // namespace ns3::rails

#endif // EXTERNAL_EXPERT_POLICY_H
