// SPDX-License-Identifier: GPL-2.0-only
#include "common-popularity.h"
#include "zipf-shares.h"

#include "ns3/component-documentation.h"
#include "ns3/double.h"
#include "ns3/random-bits.h"
#include "ns3/random-variable-stream.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

/**
 * Zipf's law over the experts in random order, the same for all sources:
 * `popularity: {type: zipf}`.
 */
class ZipfPopularity : public CommonPopularity
{
  public:
    static TypeId GetTypeId();

    ZipfPopularity();

    int64_t AssignStreams(int64_t stream) override;

  private:
    std::vector<double> Draw(uint32_t experts) override;

    Ptr<UniformRandomVariable> m_random;
    double m_exponent;
};

NS_OBJECT_ENSURE_REGISTERED(ZipfPopularity);

TypeId
ZipfPopularity::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ZipfPopularity").SetParent<Popularity>(),
                         "Popularity falls with the rank of an expert by Zipf's law; ranks are "
                         "drawn, the same for all sources.")
            .SetGroupName("Rails")
            .AddConstructor<ZipfPopularity>()
            .AddAttribute("Exponent",
                          "Exponent of the popularity of experts; 0 is uniform.",
                          DoubleValue(1.2),
                          MakeDoubleAccessor(&ZipfPopularity::m_exponent),
                          MakeNumberRange(0, 10));
    return tid;
}

ZipfPopularity::ZipfPopularity()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

std::vector<double>
ZipfPopularity::Draw(uint32_t experts)
{
    RandomBits bits(m_random);
    return DrawZipfShares(experts, m_exponent, bits);
}

int64_t
ZipfPopularity::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::rails
