// SPDX-License-Identifier: GPL-2.0-only
#ifndef TENSOR_EXCHANGE_H
#define TENSOR_EXCHANGE_H

#include "token-exchange.h"

#include <cstdint>

namespace ns3::rails
{

/// What a GPU has got of tokens goes to those that share its experts, and back.
class TensorExchange : public RoutedExchange
{
  public:
    TensorExchange(const TrainingContext& context, const Setting& setting);

  protected:
    uint64_t CountThere(uint32_t from, uint32_t to, uint32_t step) const override;
};

/// \return that of the tokens of a layer
Operation MakeTensorExchange(const TrainingContext& context, uint32_t layer, TokenWay way);

} // namespace ns3::rails

#endif // TENSOR_EXCHANGE_H
