// SPDX-License-Identifier: GPL-2.0-only
#include "training-batch.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(TrainingBatch);

TypeId
TrainingBatch::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::TrainingBatch").SetParent<Object>(),
                         "What a training goes through in an iteration.")
            .SetGroupName("Rails")
            .AddConstructor<TrainingBatch>()
            .AddAttribute("Micro",
                          "Sequences of a micro-batch on each replica of the model.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingBatch::m_micro),
                          MakeCountRange<uint32_t>(1, 1'000'000))
            .AddAttribute("Global",
                          "Sequences of an iteration on all replicas together; a multiple of "
                          "micro times their number.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&TrainingBatch::m_global),
                          MakeCountRange<uint32_t>(1, 100'000'000))
            .AddAttribute("Sequence",
                          "Tokens of a sequence.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&TrainingBatch::m_sequence),
                          MakeCountRange<uint32_t>(1, 10'000'000));
    return tid;
}

uint32_t
TrainingBatch::GetMicrobatches(uint32_t replicas) const
{
    const uint64_t together = uint64_t{m_micro} * replicas;
    if (m_global % together != 0)
    {
        throw ConfigurationError("global",
                                 "expected a multiple of " + std::to_string(together) +
                                     ", which is micro x dp = " + std::to_string(m_micro) + " x " +
                                     std::to_string(replicas));
    }
    return static_cast<uint32_t>(m_global / together);
}

} // namespace ns3::rails
