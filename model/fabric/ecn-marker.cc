// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-marker.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::EcnMarker").SetParent<Object>(),
                         "Congestion marking by the length of the queue that a frame leaves: "
                         "never up to kmin, with a growing probability up to kmax, always "
                         "beyond. (DCQCN, SIGCOMM'15, section 3.1)")
            .SetGroupName("Rails")
            .AddConstructor<EcnMarker>()
            .AddAttribute("Kmin",
                          "Queue length up to which nothing is marked, at the reference rate. "
                          "(DCQCN, SIGCOMM'15, section 3.1)",
                          ByteSizeValue(ByteSize(400'000)),
                          MakeByteSizeAccessor(&EcnMarker::m_kmin),
                          MakeByteRange())
            .AddAttribute("Kmax",
                          "Queue length beyond which everything is marked, at the reference rate. "
                          "(DCQCN, SIGCOMM'15, section 3.1)",
                          ByteSizeValue(ByteSize(1'600'000)),
                          MakeByteSizeAccessor(&EcnMarker::m_kmax),
                          MakeByteRange(1))
            .AddAttribute("Pmax",
                          "Probability of a mark just below Kmax. (DCQCN, SIGCOMM'15, section 3.1)",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&EcnMarker::m_pmax),
                          MakeNumberRange(0, 1))
            .AddAttribute("ReferenceRate",
                          "Port rate for which Kmin and Kmax are given; they grow with the rate.",
                          DataRateValue(DataRate(400'000'000'000)),
                          MakeDataRateAccessor(&EcnMarker::m_referenceRate),
                          MakeRateRange());
    return tid;
}

EcnMarker::EcnMarker()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

Ptr<EcnMarker>
EcnMarker::Fork() const
{
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->m_kmin = m_kmin;
    marker->m_kmax = m_kmax;
    marker->m_pmax = m_pmax;
    marker->m_referenceRate = m_referenceRate;
    return marker;
}

void
EcnMarker::Check() const
{
    if (m_kmin.Get() > m_kmax.Get())
    {
        throw ConfigurationError("kmin", "kmin must not be larger than kmax");
    }
    if (m_referenceRate.GetBitRate() == 0)
    {
        throw ConfigurationError("reference_rate", "the reference rate must not be zero");
    }
}

bool
EcnMarker::ShouldMark(uint64_t queueBytes, uint64_t rateBps)
{
    const double scale = static_cast<double>(rateBps) / m_referenceRate.GetBitRate();
    const double kmin = m_kmin.Get() * scale;
    if (queueBytes <= kmin)
    {
        return false;
    }
    const double kmax = m_kmax.Get() * scale;
    if (queueBytes > kmax)
    {
        return true;
    }
    return m_random->GetValue() < m_pmax * (queueBytes - kmin) / (kmax - kmin);
}

int64_t
EcnMarker::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
