// SPDX-License-Identifier: GPL-2.0-only
#include "tensor-exchange.h"

#include "server-exchange.h"

#include "ns3/collective-schedule.h"

namespace ns3::rails
{

TensorExchange::TensorExchange(const TrainingContext& context, const Setting& setting)
    : RoutedExchange(context, setting, context.GetExpertTensor(), context.GetTensorParties())
{
}

uint64_t
TensorExchange::CountForwardBytes(uint32_t from, uint32_t, uint32_t) const
{
    return GetRouting(from)->arrived[GetContext().GetExperts().GetPlace(from)];
}

Operation
MakeTensorExchange(const TrainingContext& context, uint32_t layer, TokenWay way)
{
    Operation operation = MakeRoutedOperation<TensorExchange>(context,
                                                              context.GetTensorParties(),
                                                              1,
                                                              TrainingKind::ExpertTensor,
                                                              layer,
                                                              way);
    const uint32_t others = context.GetSpec().etp - 1;
    operation.estimate.bytes = context.CountGpus() * EstimateArrived(context) *
                               static_cast<double>(context.GetTokenBytes(way)) * others;
    operation.estimate.messages = others;
    operation.estimate.outside =
        GetOutsideOfExchange(others + 1, context.GetExpertTensor().CountServers(0));
    return operation;
}

} // namespace ns3::rails
