// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_EXCHANGE_H
#define TOKEN_EXCHANGE_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// An exchange of tokens: what comes back is what went there. A party of groups does it, see
/// ExchangeParties, and what is sent is known when tokens have been routed.
class RoutedExchange : public PairTransfer
{
  public:
    /// Where in a training.
    struct Setting
    {
        TrainingKind kind; //!< what it counts as
        uint32_t layer;
        TokenWay way;
        SlotPlace place;
        uint32_t party;
    };

    /**
     * \param context the training; this and all else has to live as long
     * \param setting where in it
     * \param groups GPUs that exchange tokens
     * \param parties of these groups
     * \param legs of the way of a token, each from GPU to GPU
     * \param pieces that go on to the next leg by themselves
     */
    RoutedExchange(const TrainingContext& context,
                   const Setting& setting,
                   const GpuGroupTable& groups,
                   const ExchangeParties& parties,
                   uint32_t legs = 1,
                   uint32_t pieces = 1);

    bool TakesPart(uint32_t gpu, uint32_t step) const final;

  protected:
    const std::vector<uint32_t>& GetPartners(uint32_t gpu, uint32_t step) const final;
    uint64_t CountBytes(uint32_t from, uint32_t to, uint32_t step) const final;

    /// \return tokens that go from one to another on the way to experts, in a step of that order
    virtual uint64_t CountThere(uint32_t from, uint32_t to, uint32_t step) const = 0;

    const TrainingContext& GetContext() const
    {
        return m_context;
    }

    /// \return where the tokens of a GPU's group go
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
    const GpuGroupTable& m_groups;
    const ExchangeParties& m_parties;
    // What was asked for last: GPUs of a group are asked one after the other.
    mutable std::shared_ptr<const ExpertRouting> m_routing;
    mutable uint32_t m_group{0};
};

/// Rows of tokens, from GPU to GPU: a row for each pair of a token and an expert, or as the router
/// counts them.
class TokenExchange : public RoutedExchange
{
  public:
    /// \param part of those that it is made in, see TrainingPlan::CountExchangeParts()
    TokenExchange(const TrainingContext& context, const Setting& setting, uint32_t part = 0);

  protected:
    uint64_t CountThere(uint32_t from, uint32_t to, uint32_t step) const override;

  private:
    uint32_t m_part;
};

/**
 * \tparam Exchange a RoutedExchange
 * \param parties that do it
 * \param steps of each of them
 * \param more what its constructor takes besides
 * \return an exchange of tokens of a layer; estimates are left to the caller
 */
template <typename Exchange, typename... More>
Operation
MakeRoutedOperation(const TrainingContext& context,
                    const ExchangeParties& parties,
                    uint32_t steps,
                    TrainingKind kind,
                    uint32_t layer,
                    TokenWay way,
                    More... more)
{
    Operation operation;
    operation.kind = kind;
    operation.stream = TrainingStream::Communication;
    operation.steps = parties.Count() * steps;
    operation.makeNode =
        [&context, &parties, steps, kind, layer, way, more...](uint32_t gpu,
                                                               const SlotPlace& place,
                                                               GraphNode& node) {
            const uint32_t party = parties.Get(gpu);
            const RoutedExchange::Setting setting{kind, layer, way, place, party};
            node.step += party * steps;
            node.Move(std::make_shared<const Exchange>(context, setting, more...));
        };
    return operation;
}

/// \return what costs as much as so many messages of a GPU that are sent one by one: the more there
/// are at once, the more each costs (./rails bench estimates)
double EstimateExchange(double others);

/// \return the part of an exchange of tokens that goes from a place of a group to another
uint32_t FindExchangePart(const TrainingPlan& plan, uint32_t from, uint32_t to);

/// \return a part of an exchange of tokens in a layer
Operation MakeTokenExchange(const TrainingContext& context,
                            TrainingKind kind,
                            uint32_t layer,
                            TokenWay way,
                            uint32_t part = 0);

} // namespace ns3::rails

#endif // TOKEN_EXCHANGE_H
