// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_LIST_H
#define PHASE_LIST_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/rails-units.h"

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What a phase of a workload does.
enum class PhaseKind
{
    Dispatch, //!< moves the matrix
    Combine,  //!< moves its transpose
    Compute,  //!< all GPUs compute
    Gap       //!< nothing happens
};

/// One phase: traffic, or a time in which nothing is sent.
struct Phase
{
    PhaseKind kind{PhaseKind::Dispatch};
    TimePs duration{0}; //!< of compute and gap

    /// \return true for dispatch and combine
    bool IsTraffic() const
    {
        return kind == PhaseKind::Dispatch || kind == PhaseKind::Combine;
    }

    /// \return "dispatch", "combine", "compute" or "gap"
    const std::string& GetName() const;

    /**
     * \param name as a descriptor spells it
     * \param [out] kind the kind of that name
     * \return false when there is none
     */
    static bool ParseKind(const std::string& name, PhaseKind& kind);

    /// \return the names of all kinds, in the order of PhaseKind
    static const std::vector<std::string>& GetKindNames();
};

/// The phases of an iteration as an ns-3 attribute; as text, "[dispatch, compute: 2ms, combine]".
class PhaseList
{
  public:
    PhaseList() = default;

    PhaseList(std::vector<Phase> phases)
        : m_phases(std::move(phases))
    {
    }

    const std::vector<Phase>& Get() const
    {
        return m_phases;
    }

  private:
    std::vector<Phase> m_phases;
};

std::ostream& operator<<(std::ostream& os, const PhaseList& list);
std::istream& operator>>(std::istream& is, PhaseList& list);

ATTRIBUTE_HELPER_HEADER(PhaseList);

} // namespace ns3::rails

#endif // PHASE_LIST_H
