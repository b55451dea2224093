// SPDX-License-Identifier: GPL-2.0-only
#include "rails-result.h"

#include "ns3/rails-experiment.h"

namespace ns3::rails
{

void
Identify(const Experiment& experiment, Result& result)
{
    result.name = experiment.name;
    result.seed = experiment.seed;
    result.axes = experiment.axes;
    result.labels = experiment.labels;
    result.resolvedConfig = experiment.resolvedConfig;
    result.key = experiment.key;
}

MessageRecord::MessageRecord(const Message& message)
    : id(message.id),
      pair(message.pair),
      source(message.source),
      destination(message.destination),
      kind(message.kind),
      rail(message.txRail),
      bytes(message.bytes),
      start(message.start),
      end(message.end)
{
}

double
Result::GetCctOverBound() const
{
    return lowerBound > 0 ? static_cast<double>(cct) / static_cast<double>(lowerBound) : 0;
}

std::optional<double>
Result::GetCctIncrease() const
{
    if (!publishedBound || status != RunStatus::Done)
    {
        return std::nullopt;
    }
    return static_cast<double>(slowestFlow) / static_cast<double>(*publishedBound) - 1;
}

} // namespace ns3::rails
