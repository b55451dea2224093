// SPDX-License-Identifier: GPL-2.0-only
#ifndef ZIPF_COUNTS_H
#define ZIPF_COUNTS_H

#include "ns3/token-counts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace ns3::rails::test
{

/**
 * Counts of tokens that choose experts on their own: expert number i, from 1, with a probability in
 * proportion to i^-s (MicroMoE, Fig. 8). So the counts of a GPU are multinomial, and a token may
 * choose an expert twice: with top-k of different experts the probabilities would not be Zipf's.
 */
class ZipfCounts
{
  public:
    /**
     * \param gpus that have tokens
     * \param experts to choose from
     * \param choices of the tokens of a GPU in a micro-batch: its tokens times top-k
     * \param exponent s
     * \param seed of the draws, and of the order of experts
     * \param permutes true: which experts are hot depends on the seed; false: the first are
     */
    ZipfCounts(uint32_t gpus,
               uint32_t experts,
               uint32_t choices,
               double exponent,
               uint32_t seed,
               bool permutes = true)
        : m_gpus(gpus),
          m_choices(choices),
          m_random(seed),
          m_order(experts)
    {
        double sum = 0;
        for (uint32_t i = 1; i <= experts; ++i)
        {
            m_shares.push_back(std::pow(i, -exponent));
            sum += m_shares.back();
        }
        for (double& share : m_shares)
        {
            share /= sum;
        }
        MakeUrns();
        std::iota(m_order.begin(), m_order.end(), 0);
        for (uint32_t left = experts; permutes && left > 1; --left)
        {
            std::swap(m_order[left - 1], m_order[m_random() % left]);
        }
    }

    /// \return probability of an expert
    double GetProbability(uint32_t expert) const
    {
        const auto place = std::find(m_order.begin(), m_order.end(), expert);
        return m_shares[static_cast<std::size_t>(place - m_order.begin())];
    }

    /// \return counts of another micro-batch
    TokenCounts Draw()
    {
        const auto experts = static_cast<uint32_t>(m_order.size());
        TokenCounts counts(m_gpus, experts);
        std::vector<uint32_t> drawn(experts);
        for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            std::fill(drawn.begin(), drawn.end(), 0);
            for (uint32_t choice = 0; choice < m_choices; ++choice)
            {
                const uint64_t bits = m_random();
                const Urn& urn = m_urns[(bits & UINT32_MAX) * experts >> 32];
                ++drawn[static_cast<double>(bits >> 32) < urn.below ? urn.own : urn.other];
            }
            for (uint32_t i = 0; i < experts; ++i)
            {
                counts.Set(gpu, m_order[i], drawn[i]);
            }
        }
        return counts;
    }

  private:
    /// One of as many equal parts of all probability as there are experts: it has two at most.
    struct Urn
    {
        uint32_t own{0};   //!< number of a probability
        uint32_t other{0}; //!< number of a probability
        double below{0};   //!< random numbers of 32 bits below are for its own
    };

    /// Divides the probabilities into urns (Walker's alias method): to draw takes as long for any.
    void MakeUrns()
    {
        const auto experts = static_cast<uint32_t>(m_shares.size());
        std::vector<double> left = m_shares;
        std::vector<bool> isDone(experts);
        for (uint32_t filled = 0; filled < experts; ++filled)
        {
            uint32_t least = experts;
            uint32_t most = experts;
            for (uint32_t i = 0; i < experts; ++i)
            {
                if (!isDone[i])
                {
                    least = least == experts || left[i] < left[least] ? i : least;
                    most = most == experts || left[i] > left[most] ? i : most;
                }
            }
            m_urns.push_back({least, most, std::min(1.0, left[least] * experts) * 0x1p32});
            left[most] -= 1.0 / experts - left[least];
            isDone[least] = true;
        }
    }

    uint32_t m_gpus;
    uint32_t m_choices;
    std::mt19937_64 m_random;      // and no distribution of the library, which differ
    std::vector<uint32_t> m_order; //!< expert of each probability, the largest first
    std::vector<double> m_shares;  //!< probabilities, the largest first
    std::vector<Urn> m_urns;
};

} // namespace ns3::rails::test

#endif // ZIPF_COUNTS_H
