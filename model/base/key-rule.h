// SPDX-License-Identifier: GPL-2.0-only
#ifndef KEY_RULE_H
#define KEY_RULE_H

#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Which keys of a component must be given together, and which must not.
struct KeyRule
{
    /// What is demanded of the keys.
    enum class Demand
    {
        All,   //!< each of them must be given
        OneOf, //!< one of them, and no more
        None   //!< they must not be given
    };

    Demand demand;
    std::vector<std::string> keys;      //!< in a descriptor's spelling
    std::string message;                //!< where it is broken; % stands for the key
    std::string excess{};               //!< of OneOf: where more than one is given
    std::vector<std::string> with{};    //!< where one of these is given; empty: always
    std::vector<std::string> without{}; //!< where none of these is given

    /**
     * \param given the keys that are given
     * \throws ConfigurationError when the rule is broken; with the key that is one too many, if any
     */
    void Check(const std::set<std::string>& given) const;
};

/// A component whose keys depend on each other: a base class beside ns3::Object.
class KeyRules
{
  public:
    virtual ~KeyRules() = default;

    /// \return what a descriptor must meet; the JSON schema has it, too
    virtual std::vector<KeyRule> GetKeyRules() const;

    /**
     * Looks at the values of the keys when all of them are set.
     * \throws ConfigurationError with the key when they contradict each other
     */
    virtual void CheckValues() const;
};

} // namespace ns3::rails

#endif // KEY_RULE_H
