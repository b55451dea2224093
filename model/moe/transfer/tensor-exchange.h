// SPDX-License-Identifier: GPL-2.0-only
#ifndef TENSOR_EXCHANGE_H
#define TENSOR_EXCHANGE_H

#include "token-exchange.h"

#include <cstdint>

namespace ns3::rails
{

/// Exchange in an expert-tensor group: each GPU sends the tokens that it has received to all
/// others, or results back.
class TensorExchange : public RoutedExchange
{
  public:
    TensorExchange(const TrainingContext& context, const Setting& setting);

  protected:
    uint64_t CountForwardBytes(uint32_t from, uint32_t to, uint32_t step) const override;
};

/// \return the exchange of a layer's tokens
Operation MakeTensorExchange(const TrainingContext& context, uint32_t layer, TokenWay way);

} // namespace ns3::rails

#endif // TENSOR_EXCHANGE_H
