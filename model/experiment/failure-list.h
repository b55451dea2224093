// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_LIST_H
#define FAILURE_LIST_H

#include "rails-yaml-tree.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// One thing that fails, is mended or is slowed down, once or again and again.
struct FailureEntry
{
    /// What it happens to.
    enum class Target
    {
        Link,   //!< the cables between two ends, or the one cable of a NIC
        Switch, //!< all cables of a switch
        Nic     //!< the cable of a NIC
    };

    /// What happens to it.
    enum class Change
    {
        Down,
        Up,
        Rate, //!< its cables get another rate
        Flap  //!< goes down and comes back, several times
    };

    Target target{Target::Link};
    std::vector<std::string> names; //!< of the switch or NIC, or of both ends
    std::optional<uint32_t> cable;  //!< which of parallel ones; all without it
    Change change{Change::Down};
    TimePs at{0};        //!< when; of Flap the first time
    uint64_t rateBps{0}; //!< of Rate
    TimePs every{0};     //!< of Flap: from one failure to the next
    TimePs downFor{0};   //!< of Flap: how long each lasts
    uint64_t times{0};   //!< of Flap: how many

    /// \return "link", "switch" or "nic"
    const char* GetTargetName() const;

    /// \return the target for messages: "link pod0-agg1, core3"
    std::string DescribeTarget() const;
};

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
