// SPDX-License-Identifier: GPL-2.0-only
#include "phase-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/matrix-source.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Many GPUs send to one GPU at the same time: `workload: {type: incast}`. The senders are GPUs of
 * other servers, in the order of their numbers after the receiver's server, cyclically.
 */
class IncastWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    uint32_t m_senders;
    uint32_t m_receiver;
    ByteSize m_bytes;
};

NS_OBJECT_ENSURE_REGISTERED(IncastWorkload);

TypeId
IncastWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::IncastWorkload").SetParent<PhaseWorkload>(),
                         "Many GPUs send to one at the same time.")
            .SetGroupName("Rails")
            .AddConstructor<IncastWorkload>()
            .AddAttribute("Senders",
                          "How many GPUs send: those of the servers behind the "
                          "receiver's, by number and round.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&IncastWorkload::m_senders),
                          MakeCountRange<uint32_t>(1))
            .AddAttribute("Receiver",
                          "GPU that they send to, from 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IncastWorkload::m_receiver),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Bytes",
                          "Bytes that each of them sends.",
                          ByteSizeValue(ByteSize(1'048'576)),
                          MakeByteSizeAccessor(&IncastWorkload::m_bytes),
                          MakeByteRange(1, kLargestPairBytes));
    return tid;
}

void
IncastWorkload::Check(const WorkloadSetting& setting) const
{
    CheckCircuits(setting);
    const ClusterShape& shape = setting.shape;
    if (m_receiver >= shape.GetGpus())
    {
        throw ConfigurationError("receiver",
                                 "there is no GPU " + std::to_string(m_receiver) +
                                     ": the topology has " + std::to_string(shape.GetGpus()));
    }
    const uint32_t others = shape.GetGpus() - shape.gpusPerServer;
    if (m_senders > others)
    {
        throw ConfigurationError("senders",
                                 "expected at most " + std::to_string(others) +
                                     ", the GPUs in other servers than the receiver's");
    }
}

WorkloadSchedule
IncastWorkload::MakeSchedule(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    const uint32_t behind = (shape.GetServer(m_receiver) + 1) * shape.gpusPerServer;
    std::vector<uint32_t> senders;
    for (uint32_t i = 0; i < m_senders; ++i)
    {
        senders.push_back((behind + i) % shape.GetGpus());
    }
    std::sort(senders.begin(), senders.end());
    TrafficMatrix matrix(shape);
    for (const uint32_t sender : senders)
    {
        matrix.Add(sender, m_receiver, m_bytes.Get());
    }
    return MakeOneExchange(std::move(matrix));
}

double
IncastWorkload::EstimateBytes(const WorkloadSetting&) const
{
    return static_cast<double>(m_bytes.Get()) * m_senders;
}

double
IncastWorkload::EstimateMessages(const WorkloadSetting&) const
{
    return m_senders;
}

} // namespace ns3::rails
