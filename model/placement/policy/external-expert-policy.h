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

/// What an external program is told once, before it is asked.
struct ExternalPolicySetting
{
    std::string name;
    ExpertSetting setting;
    uint32_t slots{0};       //!< see ExternalExpertPolicy
    ExpertPlacement inOrder; //!< where experts are at first
};

/// The program that an external policy asks.
class ExternalPlanner
{
  public:
    ExternalPlanner() = default;
    ExternalPlanner(const ExternalPlanner&) = delete;
    ExternalPlanner& operator=(const ExternalPlanner&) = delete;
    virtual ~ExternalPlanner() = default;

    /**
     * \param layer number of the layer, from 0
     * \param loads tokens by expert of iterations that are over, the last in front
     * \param now where experts are
     * \return where they are from now on, not checked; nothing: they stay
     * \throws ConfigurationError when there is no answer, or none that can be read
     */
    virtual std::optional<ExpertPlacement> Place(uint32_t layer,
                                                 const std::vector<std::vector<uint64_t>>& loads,
                                                 const ExpertPlacement& now) = 0;

    /// \return lines that the program has written, of which the last was its answer
    virtual uint64_t GetLines() const = 0;
};

/// Starts the program of a policy.
using ExternalPlannerMaker =
    std::function<std::unique_ptr<ExternalPlanner>(const ExternalPolicySetting&)>;

/**
 * `external`: a PlacementPolicy that another program decides for. It gets the loads that policies
 * of this class may know, and what it answers is checked. Which program that is, whoever runs the
 * experiment says (SetMaker()); without that it can be looked at and checked, but not run.
 */
class ExternalExpertPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    void Check(const ExpertSetting& setting) const override;
    bool PlansOneGroup() const override;
    bool DealsUnevenly() const override;
    uint32_t GetPeriod() const override;
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    std::string DescribeOrigin() const override;

    /// \return by which name its program is given
    const std::string& GetName() const;

    /// \param maker starts its program, anew after each Start()
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
    std::unique_ptr<ExternalPlanner> m_planner; //!< once it has been asked
};

/// \return the error of an external policy, with what names it in front
/// \param place of what it says, such as "layer 3, line 5"; may be empty
std::string DescribeExternalFault(const std::string& name,
                                  const std::string& place,
                                  const std::string& fault);

/// \return what is said of an external policy without a program
std::string DescribeMissingProgram(const std::string& name);

} // namespace ns3::rails

#endif // EXTERNAL_EXPERT_POLICY_H
