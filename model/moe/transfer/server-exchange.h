// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include "token-exchange.h"

#include <array>
#include <cstdint>

namespace ns3::rails
{

/// Token exchange with deduplication. Dispatch sends one copy of a token to each server with one of
/// its experts, to the GPU at the same place (the relay). The relay forwards a copy to each GPU
/// with one of the experts. Combine takes the reverse path. A transfer has one of these legs, or
/// both; with both, relays forward each chunk on arrival.
class ServerExchange : public RoutedExchange
{
  public:
    enum class Leg : uint8_t
    {
        Across, //!< from server to server
        Inside  //!< between the GPUs of a server
    };

    /// One leg.
    ServerExchange(const TrainingContext& context, const Setting& setting, Leg leg);

    /// Both legs. \param pieces chunks of each message
    ServerExchange(const TrainingContext& context, const Setting& setting, uint32_t pieces);

  protected:
    uint64_t CountForwardBytes(uint32_t from, uint32_t to, uint32_t step) const override;

  private:
    uint64_t CountLeg(uint32_t from, uint32_t to, Leg leg) const;

    std::array<Leg, 2> m_legs; //!< by step; a single leg is stored twice
};

/// \return one leg of a deduplicated token exchange in a layer
Operation MakeServerExchange(const TrainingContext& context,
                             TrainingKind kind,
                             uint32_t layer,
                             TokenWay way,
                             ServerExchange::Leg leg);

/// \return both legs, in chunks. \param pieces chunks of each message
Operation MakeServerExchange(const TrainingContext& context,
                             TrainingKind kind,
                             uint32_t layer,
                             TokenWay way,
                             uint32_t pieces);

/// \return chunks of a mean message between servers in dispatch or combine
uint32_t CountExchangePieces(const TrainingContext& context, TokenWay way);

/// \return mean number of token vectors that arrive at a GPU, local ones included
double EstimateArrived(const TrainingContext& context);

} // namespace ns3::rails

#endif // SERVER_EXCHANGE_H
