// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_EXCHANGE_H
#define TOKEN_EXCHANGE_H

#include "operation.h"

#include "ns3/comm-op.h"
#include "ns3/gpu-partition.h"
#include "ns3/training-context.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Base of token exchanges. Combine returns the volume that dispatch has sent. Each exchange
/// involves one party of groups, see FindParties(). Its traffic is known once tokens are routed.
class RoutedExchange : public PairTransfer
{
  public:
    /// Place of the exchange in a training.
    struct Setting
    {
        TrainingKind kind; //!< kind of the transfer in results
        uint32_t layer;
        TokenWay way;
        SlotPlace place;
        uint32_t party;
    };

    /**
     * All references must outlive this object.
     * \param context the training
     * \param setting place of the exchange
     * \param groups GPUs that exchange tokens
     * \param parties of these groups, by GPU
     * \param legs hops of a token from GPU to GPU
     * \param pieces chunks, each forwarded on arrival
     */
    RoutedExchange(const TrainingContext& context,
                   const Setting& setting,
                   const GpuPartition& groups,
                   const std::vector<uint32_t>& parties,
                   uint32_t legs = 1,
                   uint32_t pieces = 1);

    bool TakesPart(uint32_t gpu, uint32_t step) const final;

  protected:
    const std::vector<uint32_t>& GetPartners(uint32_t gpu, uint32_t step) const final;
    uint64_t CountBytes(uint32_t from, uint32_t to, uint32_t step) const final;

    /// \return tokens from one GPU to another in a step of the dispatch direction
    virtual uint64_t CountForwardBytes(uint32_t from, uint32_t to, uint32_t step) const = 0;

    const TrainingContext& GetContext() const
    {
        return m_context;
    }

    /// \return the dispatch of a GPU's group
    const std::shared_ptr<const ExpertRouting>& GetRouting(uint32_t gpu) const
    {
        const uint32_t group = m_context.GetExperts().GetNumber(gpu);
        if (!m_routing || m_group != group)
        {
            m_routing = m_context.GetRouting(gpu, m_setting.place.Find(m_setting.layer));
            m_group = group;
        }
        return m_routing;
    }

  private:
    const TrainingContext& m_context;
    Setting m_setting;
    const GpuPartition& m_groups;
    const std::vector<uint32_t>& m_parties;
    // Cache of the latest dispatch: GPUs of a group are queried one after the other.
    mutable std::shared_ptr<const ExpertRouting> m_routing;
    mutable uint32_t m_group{0};
};

/// Token exchange without deduplication: a row per token-expert pair, or padded rows as the
/// dispatch counts them.
class TokenExchange : public RoutedExchange
{
  public:
    /// \param part of the exchange, see TrainingSpec::CountExchangeParts()
    TokenExchange(const TrainingContext& context, const Setting& setting, uint32_t part = 0);

  protected:
    uint64_t CountForwardBytes(uint32_t from, uint32_t to, uint32_t step) const override;

  private:
    uint32_t m_part;
};

/**
 * \tparam Exchange a RoutedExchange
 * \param parties that take part, by GPU
 * \param steps of each party
 * \param more further arguments of the constructor of Exchange
 * \return a token exchange of a layer, without estimates
 */
template <typename Exchange, typename... More>
Operation
MakeRoutedOperation(const TrainingContext& context,
                    const std::vector<uint32_t>& parties,
                    uint32_t steps,
                    TrainingKind kind,
                    uint32_t layer,
                    TokenWay way,
                    More... more)
{
    Operation operation;
    operation.kind = kind;
    operation.stream = TrainingStream::Communication;
    operation.steps = (1 + *std::max_element(parties.begin(), parties.end())) * steps;
    operation.makeNode =
        [&context, &parties, steps, kind, layer, way, more...](uint32_t gpu,
                                                               const SlotPlace& place,
                                                               GraphNode& node) {
            const uint32_t party = parties[gpu];
            const RoutedExchange::Setting setting{kind, layer, way, place, party};
            node.step += party * steps;
            node.Move(std::make_shared<const Exchange>(context, setting, more...));
        };
    return operation;
}

/// \return cost of sending to so many GPUs at once, in messages that are sent one by one.
///     Concurrent messages cost more each (./rails bench estimates).
double EstimateExchange(double others);

/// \return part of a token exchange between two places of a group
uint32_t FindExchangePart(const TrainingSpec& spec, uint32_t from, uint32_t to);

/// \return a part of a layer's token exchange
Operation MakeTokenExchange(const TrainingContext& context,
                            TrainingKind kind,
                            uint32_t layer,
                            TokenWay way,
                            uint32_t part = 0);

} // namespace ns3::rails

#endif // TOKEN_EXCHANGE_H
