// SPDX-License-Identifier: GPL-2.0-only
#include "phase-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/matrix-source.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"

#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * A random permutation: every GPU sends one message and receives one; no GPU sends to itself, and
 * all other pairs may come up, also inside a server or a pod: `workload: {type: permutation}`
 * (arXiv 2507.21372). The draw depends only on the seed and the number of GPUs.
 */
class PermutationWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();
    PermutationWorkload();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    ByteSize m_bytes;
    Ptr<UniformRandomVariable> m_random;
};

NS_OBJECT_ENSURE_REGISTERED(PermutationWorkload);

TypeId
PermutationWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::PermutationWorkload").SetParent<PhaseWorkload>(),
                         "Every GPU sends one message and receives one, in pairs drawn at "
                         "random. (arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<PermutationWorkload>()
            .AddAttribute("Bytes",
                          "Bytes that every GPU sends. (1 MiB in arXiv 2507.21372)",
                          ByteSizeValue(ByteSize(1'048'576)),
                          MakeByteSizeAccessor(&PermutationWorkload::m_bytes),
                          MakeByteRange(1, kLargestPairBytes));
    return tid;
}

PermutationWorkload::PermutationWorkload()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
PermutationWorkload::Check(const WorkloadSetting& setting) const
{
    CheckCircuits(setting);
    const ClusterShape& shape = setting.shape;
    if (shape.GetGpus() < 2)
    {
        throw ConfigurationError("", "a permutation needs at least 2 GPUs in the topology");
    }
}

WorkloadSchedule
PermutationWorkload::MakeSchedule(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    const uint32_t gpus = shape.GetGpus();
    RandomBits bits(m_random);
    const std::vector<uint32_t> sources = RandomPermutation(gpus, bits);
    std::vector<uint32_t> destinations = RandomPermutation(gpus, bits);
    for (uint32_t i = 0; i < gpus; ++i)
    {
        if (sources[i] == destinations[i])
        {
            // Exchanging destinations with any other pair leaves no GPU sending to itself in
            // either.
            std::swap(destinations[i], destinations[(i + 1) % gpus]);
        }
    }
    std::vector<uint32_t> destinationOf(gpus);
    for (uint32_t i = 0; i < gpus; ++i)
    {
        destinationOf[sources[i]] = destinations[i];
    }
    TrafficMatrix matrix(shape);
    for (uint32_t source = 0; source < gpus; ++source)
    {
        matrix.Add(source, destinationOf[source], m_bytes.Get());
    }
    return MakeOneExchange(std::move(matrix));
}

double
PermutationWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return static_cast<double>(m_bytes.Get()) * shape.GetGpus();
}

int64_t
PermutationWorkload::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
