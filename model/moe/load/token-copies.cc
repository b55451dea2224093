// SPDX-License-Identifier: GPL-2.0-only
#include "token-copies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return inclusion probabilities, clamped where choices are limited to groups
std::vector<double>
ClampInclusion(const LoadShape& shape, std::vector<double> inclusion)
{
    // With a limit, experts with probability 1 may be in too many groups.
    const double most = shape.groups > 1 ? 1 - 1e-9 : 1;
    const double least = shape.groups > 1 ? 1e-9 : 0;
    for (double& chosen : inclusion)
    {
        chosen = std::clamp(chosen, least, most);
    }
    return inclusion;
}

/**
 * Adds an expert to the choices of a group.
 * \param chosen inclusion probability of the expert
 * \param kept probability that a token of the expert does not go to the set
 * \param byNumber probability, by number of chosen experts, that none goes to the set
 */
void
AddExpert(double chosen, double kept, std::vector<double>& byNumber)
{
    for (std::size_t number = byNumber.size() - 1; number > 0; --number)
    {
        byNumber[number] += chosen * (kept * byNumber[number - 1] - byNumber[number]);
    }
    byNumber[0] *= 1 - chosen;
}

/**
 * \param inclusion unconditional inclusion probability by expert
 * \param kept probability, by expert, that a token of the expert does not go to a set
 * \return probability, by number of independently chosen experts of a group up to topK, that none
 *     goes to the set
 */
std::vector<double>
FindChances(const LoadShape& shape,
            const std::vector<double>& inclusion,
            const std::vector<double>& kept,
            uint32_t group)
{
    const uint32_t size = shape.experts / shape.groups;
    std::vector<double> byNumber(shape.topK + 1, 0);
    byNumber[0] = 1;
    double none = 1;
    for (uint32_t expert = group * size; expert < (group + 1) * size; ++expert)
    {
        if (kept[expert] == 0)
        {
            none *= 1 - inclusion[expert];
            continue;
        }
        AddExpert(inclusion[expert], kept[expert], byNumber);
    }
    for (double& chance : byNumber)
    {
        chance *= none;
    }
    return byNumber;
}

/// Probability of choices in some groups, by number of reached groups and chosen experts.
class GroupChances
{
  public:
    /// Starts without groups.
    explicit GroupChances(const LoadShape& shape)
        : m_topK(shape.topK),
          m_topGroups(shape.topGroups),
          m_chances((std::size_t{shape.topGroups} + 1) * (shape.topK + 1), 0)
    {
        m_chances[0] = 1;
    }

    /// \param here probability by number of chosen experts of the group
    void AddGroup(const std::vector<double>& here)
    {
        for (uint32_t reached = m_topGroups + 1; reached-- > 0;)
        {
            double* chances = GetRow(reached);
            for (uint32_t number = 0; number <= m_topK; ++number)
            {
                chances[number] *= here[0];
            }
            for (uint32_t ofGroup = 1; reached > 0 && ofGroup <= m_topK; ++ofGroup)
            {
                const double chance = here[ofGroup];
                const double* before = GetRow(reached - 1);
                for (uint32_t number = ofGroup; number <= m_topK; ++number)
                {
                    chances[number] += before[number - ofGroup] * chance;
                }
            }
        }
    }

    /// \return probability that topK experts are chosen, with one more group
    double FinishWith(const std::vector<double>& here) const
    {
        double sum = 0;
        for (uint32_t reached = 0; reached <= m_topGroups; ++reached)
        {
            double chance = GetRow(reached)[m_topK] * here[0];
            for (uint32_t ofGroup = 1; reached > 0 && ofGroup <= m_topK; ++ofGroup)
            {
                chance += GetRow(reached - 1)[m_topK - ofGroup] * here[ofGroup];
            }
            sum += chance;
        }
        return sum;
    }

  private:
    double* GetRow(uint32_t reached)
    {
        return m_chances.data() + std::size_t{reached} * (m_topK + 1);
    }

    const double* GetRow(uint32_t reached) const
    {
        return m_chances.data() + std::size_t{reached} * (m_topK + 1);
    }

    uint32_t m_topK;
    uint32_t m_topGroups;
    std::vector<double> m_chances; //!< by number of reached groups, and of chosen experts
};

/// \return probability that topK experts of at most topGroups groups are chosen, and none goes to a
///     set
double
FindChance(const LoadShape& shape,
           const std::vector<double>& inclusion,
           const std::vector<double>& kept)
{
    GroupChances chances(shape);
    for (uint32_t group = 0; group + 1 < shape.groups; ++group)
    {
        chances.AddGroup(FindChances(shape, inclusion, kept, group));
    }
    return chances.FinishWith(FindChances(shape, inclusion, kept, shape.groups - 1));
}

/// An expert with tokens for a set.
struct SetMember
{
    uint32_t expert{0};
    std::vector<uint32_t> tokens; //!< its tokens for the set, by source
    double together{0}; //!< fraction of its tokens that goes to the set, all sources together
    std::vector<double> shares; //!< the fraction by source; empty if all are equal
};

/**
 * Finds the fractions of an expert's tokens that go to a set.
 * \param counts tokens by source and expert
 * \param sets number of sets that its tokens go to
 */
void
FindShares(const LoadShape& shape,
           const std::vector<uint32_t>& counts,
           std::size_t sets,
           SetMember& member)
{
    uint64_t own = 0;
    uint64_t all = 0;
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        own += member.tokens[source];
        all += counts[std::size_t{source} * shape.experts + member.expert];
    }
    // Of an expert without tokens only the sets are known.
    member.together = all > 0 ? static_cast<double>(own) / static_cast<double>(all)
                              : 1 / static_cast<double>(sets);
    bool differs = false;
    std::vector<double> shares;
    shares.reserve(shape.sources);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        const uint32_t count = counts[std::size_t{source} * shape.experts + member.expert];
        const double tokens = member.tokens[source];
        shares.push_back(count > 0 ? tokens / count : member.together);
        differs = differs || shares.back() != member.together;
    }
    if (differs)
    {
        member.shares = std::move(shares);
    }
}

/// \return experts with tokens for each set, ascending, by set
std::vector<std::vector<SetMember>>
FindMembers(const LoadShape& shape, const std::vector<uint32_t>& counts, const TokenSplit& split)
{
    std::vector<std::vector<SetMember>> members(split.GetSets());
    std::vector<uint32_t> reached; // sets
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        reached.clear();
        for (uint32_t source = 0; source < shape.sources; ++source)
        {
            for (const SplitPart& part : split.Get(source, expert))
            {
                std::vector<SetMember>& ofSet = members[part.set];
                if (ofSet.empty() || ofSet.back().expert != expert)
                {
                    ofSet.push_back({expert, std::vector<uint32_t>(shape.sources, 0), 0, {}});
                    reached.push_back(part.set);
                }
                ofSet.back().tokens[source] += part.tokens;
            }
        }
        for (const uint32_t set : reached)
        {
            FindShares(shape, counts, reached.size(), members[set].back());
        }
    }
    return members;
}

/// Choice of experts by tokens.
struct Choice
{
    const LoadShape& shape;
    std::vector<double> inclusion; //!< unconditional inclusion probability, clamped
    std::vector<double> limited;   //!< inclusion probability under the limit to groups
    double all;                    //!< probability that topK experts are chosen

    Choice(const LoadShape& what, const std::vector<double>& alone)
        : shape(what),
          inclusion(ClampInclusion(what, alone)),
          limited(LimitInclusion(what, alone)),
          all(FindChance(what, inclusion, std::vector<double>(what.experts, 1)))
    {
    }

    /**
     * \param none probability that topK experts are chosen, and none goes to a set
     * \param pairs mean pairs of a token that go to the set
     * \return copies per pair that goes to the set
     */
    double FindRatio(double none, double pairs) const
    {
        const double any = std::clamp(1 - (all > 0 ? none / all : 0), 0.0, 1.0);
        return pairs > 0 ? any / pairs : 1;
    }
};

/// Experts of a group whose fractions for a set differ between sources.
struct DifferingGroup
{
    std::vector<double> others; //!< probabilities of the other experts of the group
    std::vector<const SetMember*> members;

    /// \return true when the fractions of two sources are equal
    bool AreAlike(uint32_t source, uint32_t other) const
    {
        return std::all_of(members.begin(), members.end(), [=](const SetMember* member) {
            return member->shares[source] == member->shares[other];
        });
    }
};

/**
 * \param common probabilities of groups without differences between sources
 * \param groups groups with differences
 * \return probability by source that topK experts are chosen and none goes to the set
 */
std::vector<double>
FindBySource(const Choice& choice,
             const GroupChances& common,
             const std::vector<DifferingGroup>& groups)
{
    std::vector<double> none;
    std::vector<GroupChances> before(groups.size(), common); // each group, latest source
    std::vector<double> here;
    for (uint32_t source = 0; source < choice.shape.sources; ++source)
    {
        // Consecutive sources are often equal, mostly empty; their common prefix of groups is
        // reused.
        std::size_t at = 0;
        while (source > 0 && at < groups.size() && groups[at].AreAlike(source, source - 1))
        {
            ++at;
        }
        none.push_back(source > 0 ? none.back() : 0);
        for (; at < groups.size(); ++at)
        {
            here = groups[at].others;
            for (const SetMember* member : groups[at].members)
            {
                AddExpert(choice.inclusion[member->expert], 1 - member->shares[source], here);
            }
            if (at + 1 < groups.size())
            {
                before[at + 1] = before[at];
                before[at + 1].AddGroup(here);
            }
            else
            {
                none.back() = before[at].FinishWith(here);
            }
        }
    }
    return none;
}

/**
 * \param members experts of a set
 * \return mean copies per token-expert pair that goes to the set, by source
 */
std::vector<double>
FindRatios(const Choice& choice, const std::vector<SetMember>& members)
{
    const LoadShape& shape = choice.shape;
    if (shape.topK == 1)
    {
        return std::vector<double>(shape.sources, 1);
    }
    // The common part of sources is computed once. An expert that differs between sources has
    // probability 0 there, until a source adds it.
    std::vector<double> inclusion = choice.inclusion;
    std::vector<double> kept(shape.experts, 1);
    std::vector<DifferingGroup> groups(shape.groups);
    std::vector<double> pairs(shape.sources, 0);
    bool differs = false;
    for (const SetMember& member : members)
    {
        const double limited = choice.limited[member.expert];
        if (member.shares.empty())
        {
            kept[member.expert] = 1 - member.together;
        }
        else
        {
            inclusion[member.expert] = 0;
            groups[shape.GetGroup(member.expert)].members.push_back(&member);
            differs = true;
        }
        for (uint32_t source = 0; source < shape.sources; ++source)
        {
            pairs[source] +=
                limited * (member.shares.empty() ? member.together : member.shares[source]);
        }
    }
    std::vector<double> none;
    if (!differs)
    {
        none.assign(shape.sources, FindChance(shape, inclusion, kept));
    }
    else
    {
        GroupChances common(shape);
        std::vector<DifferingGroup> different;
        for (uint32_t group = 0; group < shape.groups; ++group)
        {
            groups[group].others = FindChances(shape, inclusion, kept, group);
            if (groups[group].members.empty())
            {
                common.AddGroup(groups[group].others);
            }
            else
            {
                different.push_back(std::move(groups[group]));
            }
        }
        none = FindBySource(choice, common, different);
    }
    std::vector<double> ratios(shape.sources);
    for (uint32_t source = 0; source < shape.sources; ++source)
    {
        ratios[source] = choice.FindRatio(none[source], pairs[source]);
    }
    return ratios;
}

} // namespace

std::vector<uint32_t>
EstimateCopies(const LoadShape& shape,
               const std::vector<uint32_t>& counts,
               const std::vector<double>& inclusion,
               const TokenSplit& split)
{
    split.Check(counts);
    const Choice choice(shape, inclusion);
    const uint32_t sets = split.GetSets();
    const std::vector<std::vector<SetMember>> membersOf = FindMembers(shape, counts, split);
    std::vector<uint32_t> copies(std::size_t{shape.sources} * sets);
    for (uint32_t set = 0; set < sets; ++set)
    {
        const std::vector<double> ratios = FindRatios(choice, membersOf[set]);
        for (uint32_t source = 0; source < shape.sources; ++source)
        {
            uint64_t pairs = 0;
            uint32_t most = 0;
            for (const SetMember& member : membersOf[set])
            {
                pairs += member.tokens[source];
                most = std::max(most, member.tokens[source]);
            }
            // The mean number of copies, but at least the largest count of a single expert.
            const auto mean =
                static_cast<uint64_t>(std::llround(static_cast<double>(pairs) * ratios[source]));
            const uint64_t limit = std::min<uint64_t>(pairs, shape.tokens);
            copies[std::size_t{source} * sets + set] =
                static_cast<uint32_t>(std::min(std::max<uint64_t>(mean, most), limit));
        }
    }
    return copies;
}

std::vector<double>
FindSetInclusion(const LoadShape& shape,
                 const std::vector<double>& inclusion,
                 const std::vector<uint32_t>& setOf,
                 uint32_t sets)
{
    std::vector<double> anyOf(sets, 0);
    if (shape.topK == 1)
    {
        // A token has one expert, in one set and one group.
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            if (setOf[expert] < sets)
            {
                anyOf[setOf[expert]] += inclusion[expert];
            }
        }
        return anyOf;
    }
    // P(no expert of the set is chosen) = P(topK outside of the set, none inside) / P(topK).
    const std::vector<double> clamped = ClampInclusion(shape, inclusion);
    std::vector<double> kept(shape.experts, 1);
    const double all = FindChance(shape, clamped, kept);
    for (uint32_t set = 0; set < sets; ++set)
    {
        std::transform(setOf.begin(), setOf.end(), kept.begin(), [set](uint32_t own) {
            return own == set ? 0 : 1;
        });
        const double none = all > 0 ? FindChance(shape, clamped, kept) / all : 0;
        anyOf[set] = std::clamp(1 - none, 0.0, 1.0);
    }
    return anyOf;
}

std::vector<double>
LimitInclusion(const LoadShape& shape, const std::vector<double>& inclusion)
{
    if (shape.groups == 1)
    {
        return inclusion;
    }
    std::vector<uint32_t> itself(shape.experts);
    std::iota(itself.begin(), itself.end(), 0);
    return FindSetInclusion(shape, inclusion, itself, shape.experts);
}

std::vector<double>
FindInclusion(const std::vector<double>& shares, uint32_t topK)
{
    std::vector<double> inclusion(shares.size(), 1);
    if (topK >= shares.size())
    {
        return inclusion;
    }
    if (topK == 1)
    {
        return shares;
    }
    double low = 0;
    double high = 1;
    const auto fill = [&](double factor) {
        double sum = 0;
        for (std::size_t expert = 0; expert < shares.size(); ++expert)
        {
            inclusion[expert] = -std::expm1(-factor * shares[expert]);
            sum += inclusion[expert];
        }
        return sum;
    };
    while (fill(high) < topK && high < 1e18)
    {
        high *= 2;
    }
    for (int round = 0; round < 100; ++round)
    {
        const double factor = (low + high) / 2;
        (fill(factor) < topK ? low : high) = factor;
    }
    fill(high);
    return inclusion;
}

} // namespace ns3::rails
