// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_LIST_H
#define FAILURE_LIST_H

#include "rails-yaml-tree.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/failure-schedule.h"

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// The key `failures.schedule` as an ns-3 attribute; as text, a YAML list of maps.
class FailureList
{
  public:
    FailureList() = default;

    FailureList(std::vector<FailureEntry> entries)
        : m_entries(std::move(entries))
    {
    }

    const std::vector<FailureEntry>& Get() const
    {
        return m_entries;
    }

  private:
    std::vector<FailureEntry> m_entries;
};

std::ostream& operator<<(std::ostream& os, const FailureList& list);
std::istream& operator>>(std::istream& is, FailureList& list);

ATTRIBUTE_HELPER_HEADER(FailureList);

/// A key that an entry of the list can have.
struct FailureKey
{
    std::string name;
    std::string meaning; //!< with kind and range
};

/// \return the keys that an entry can have
const std::vector<FailureKey>& GetFailureKeys();

/// Largest number of a cable among parallel ones.
constexpr uint64_t kLargestCable = std::numeric_limits<uint16_t>::max();
/// Most times that a link flaps.
constexpr uint64_t kMostFlaps = 100'000;

/**
 * \param node what a descriptor says
 * \throws DescriptorError when it is not a list of entries, each whole and of known keys
 */
FailureList DecodeFailures(const YamlNode& node);

/// \return what a descriptor would say, with units
nlohmann::ordered_json EncodeFailures(const FailureList& list);

} // namespace ns3::rails

#endif // FAILURE_LIST_H
