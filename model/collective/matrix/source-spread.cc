// SPDX-License-Identifier: GPL-2.0-only
#include "source-spread.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <cstddef>

namespace ns3::rails
{

double
SourceSpread::FindDeviation(double share,
                            double inclusion,
                            uint32_t experts,
                            SeededBits& bits) const
{
    boost::random::normal_distribution<double> normal;
    const double own = ofMean * std::exp(ofSpread * normal(bits));
    const double some = std::max(share, 1e-12);
    const double left = 1 - std::min(inclusion, 1.0);
    return std::sqrt(std::log1p(own * own * left / (some * experts)));
}

std::vector<double>
DrawFavours(const std::vector<double>& inclusion,
            const std::vector<double>& deviations,
            SeededBits& bits)
{
    std::vector<double> favours(deviations.size(), 1);
    double before = 0;
    double after = 0;
    boost::random::normal_distribution<double> normal;
    for (std::size_t expert = 0; expert < deviations.size(); ++expert)
    {
        const double deviation = deviations[expert];
        if (deviation > 0)
        {
            favours[expert] = std::exp(deviation * normal(bits) - deviation * deviation / 2);
        }
        before += inclusion[expert];
        after += std::min(inclusion[expert] * favours[expert], 1.0);
    }
    for (double& favour : favours)
    {
        favour *= before / after;
    }
    return favours;
}

double
FindPairSkew(const std::vector<uint32_t>& counts, uint32_t sources)
{
    const std::size_t experts = counts.size() / sources;
    std::vector<double> sent(sources, 0);
    std::vector<double> got(sources, 0);
    std::vector<double> pairs(std::size_t{sources} * sources, 0);
    for (std::size_t at = 0; at < counts.size(); ++at)
    {
        const std::size_t source = at / experts;
        const std::size_t home = at % experts * sources / experts;
        sent[source] += counts[at];
        got[home] += counts[at];
        pairs[source * sources + home] += counts[at];
    }
    double all = 0;
    for (const double tokens : sent)
    {
        all += tokens;
    }
    double between = 0;
    double elsewhere = 0;
    for (std::size_t source = 0; source < sources; ++source)
    {
        for (std::size_t home = 0; home < sources; ++home)
        {
            if (source != home)
            {
                const double tokens = pairs[source * sources + home];
                between += tokens;
                elsewhere += std::abs(tokens - sent[source] * got[home] / all) / 2;
            }
        }
    }
    return between > 0 ? elsewhere / between : 0;
}

} // namespace ns3::rails
