// SPDX-License-Identifier: GPL-2.0-only
#include "rails-nearest-name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace ns3::rails
{

namespace
{

std::string
Fold(const std::string& name)
{
    std::string folded;
    for (const unsigned char letter : name)
    {
        folded += letter == '-' ? '_' : static_cast<char>(std::tolower(letter));
    }
    return folded;
}

/// Restricted Damerau-Levenshtein distance.
std::size_t
Distance(const std::string& a, const std::string& b)
{
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
    {
        for (std::size_t j = 0; j <= b.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

} // namespace

std::string
NearestName(const std::string& name, const std::vector<std::string>& candidates)
{
    constexpr std::size_t longest = 100; // all known names are far shorter
    if (name.empty() || name.size() > longest)
    {
        return "";
    }
    const std::string folded = Fold(name);
    std::string nearest;
    // Half of the letters may be wrong; beyond that a proposal is a guess.
    std::size_t best = std::max<std::size_t>(1, name.size() / 2) + 1;
    for (const std::string& candidate : candidates)
    {
        const std::string other = Fold(candidate);
        std::size_t distance = Distance(folded, other);
        // An abbreviation of a name, or a name with something added, is near too.
        const bool part =
            std::min(folded.size(), other.size()) >= 3 &&
            (other.find(folded) != std::string::npos || folded.find(other) != std::string::npos);
        if (part)
        {
            distance = std::min<std::size_t>(distance, 2);
        }
        if (distance < best)
        {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string
SuggestName(const std::string& name, const std::vector<std::string>& candidates)
{
    const std::string nearest = NearestName(name, candidates);
    std::string text;
    if (!nearest.empty())
    {
        text += "; did you mean '" + nearest + "'?";
    }
    if (!candidates.empty())
    {
        text += (nearest.empty() ? "; known: " : " Known: ") + JoinNames(candidates);
    }
    return text;
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

} // namespace ns3::rails
