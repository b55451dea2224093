// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include "token-exchange.h"

#include <array>
#include <cstdint>

namespace ns3::rails
{

/// De-duplicated: a copy of a token goes to each server with one of its experts, to the GPU in the
/// same place, and from there to each GPU with one of them; back the other way round. A transfer is
/// one of these legs, or both, of which a GPU passes on each piece when it has got that piece.
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

    /// Both. \param pieces of what goes from a GPU to another
    ServerExchange(const TrainingContext& context, const Setting& setting, uint32_t pieces);

  protected:
    uint64_t CountThere(uint32_t from, uint32_t to, uint32_t step) const override;

  private:
    uint64_t CountLeg(uint32_t from, uint32_t to, Leg leg) const;

    std::array<Leg, 2> m_legs; //!< by step; of a single one the first alone
};

/// \return a leg of a de-duplicated exchange of tokens in a layer
Operation MakeServerExchange(const TrainingContext& context,
                             TrainingKind kind,
                             uint32_t layer,
                             TokenWay way,
                             ServerExchange::Leg leg);

/// \return both legs, in pieces
Operation MakeServerExchange(const TrainingContext& context,
                             TrainingKind kind,
                             uint32_t layer,
                             TokenWay way,
                             uint32_t pieces);

/// \return pieces of a message between servers on the way to experts, or back, in the mean
uint32_t CountExchangePieces(const TrainingContext& context, TokenWay way);

/// \return vectors of tokens that come to a GPU, whatever way they take, in the mean
double EstimateArrived(const TrainingContext& context);

} // namespace ns3::rails

#endif // SERVER_EXCHANGE_H
