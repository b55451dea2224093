// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include "token-exchange.h"

#include <cstdint>

namespace ns3::rails
{

/// De-duplicated: a copy of a token goes to each server with one of its experts, to the GPU in the
/// same place, and from there to each GPU with one of them; back the other way round.
class ServerExchange : public RoutedExchange
{
  public:
    enum class Leg : uint8_t
    {
        Across, //!< from server to server
        Inside  //!< between the GPUs of a server
    };

    ServerExchange(const TrainingContext& context, const Setting& setting, Leg leg);

  protected:
    uint64_t CountThere(uint32_t from, uint32_t to) const override;

  private:
    Leg m_leg;
};

/// \return a leg of a de-duplicated exchange of tokens in a layer
Operation MakeServerExchange(const TrainingContext& context,
                             TrainingKind kind,
                             uint32_t layer,
                             TokenWay way,
                             ServerExchange::Leg leg);

/// \return vectors of tokens that come to a GPU, whatever way they take, in the mean
double EstimateArrived(const TrainingContext& context);

} // namespace ns3::rails

#endif // SERVER_EXCHANGE_H
