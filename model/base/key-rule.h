// SPDX-License-Identifier: GPL-2.0-only
#ifndef KEY_RULE_H
#define KEY_RULE_H

#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A rule about keys of a component that must, or must not, be given together.
struct KeyRule
{
    /// Demand on the keys.
    enum class Demand
    {
        All,   //!< all keys must be given
        OneOf, //!< exactly one key must be given
        None   //!< no key may be given
    };

    Demand demand;
    std::vector<std::string> keys;   //!< in a descriptor's spelling
    std::string message;             //!< of the error; % stands for the key
    std::string excess{};            //!< OneOf: message when several keys are given
    std::vector<std::string> with{}; //!< the rule holds when one of these is given; empty: always
    std::vector<std::string> without{}; //!< the rule holds when none of these is given

    /**
     * \param given the keys in the descriptor
     * \throws ConfigurationError when the rule is broken; with the excess key, if any
     */
    void Check(const std::set<std::string>& given) const;
};

/// A component whose keys depend on each other: a base class beside ns3::Object.
class KeyRules
{
  public:
    virtual ~KeyRules() = default;

    /// \return rules for the keys of a descriptor; the JSON schema contains them, too
    virtual std::vector<KeyRule> GetKeyRules() const;

    /**
     * Checks the values of the keys together, after all are set.
     * \throws ConfigurationError with the key when values contradict each other
     */
    virtual void CheckValues() const;
};

} // namespace ns3::rails

#endif // KEY_RULE_H
