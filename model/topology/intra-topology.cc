// SPDX-License-Identifier: GPL-2.0-only
#include "intra-topology.h"

#include "ns3/range-checker.h"

#include <cstddef>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(IntraTopology);

TypeId
IntraTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::IntraTopology")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("PcieLatency",
                          "Latency of a crossing of PCIe, from port to port. (our choice)",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&IntraTopology::m_pcieLatency),
                          MakeTimeRange());
    return tid;
}

bool
IntraTopology::IsLike(const IntraTopology& other) const
{
    const auto write = [](const IntraTopology& intra) {
        std::string text = intra.GetInstanceTypeId().GetName();
        for (TypeId id = intra.GetInstanceTypeId(); id != Object::GetTypeId(); id = id.GetParent())
        {
            for (std::size_t i = 0; i < id.GetAttributeN(); ++i)
            {
                const TypeId::AttributeInformation attribute = id.GetAttribute(i);
                if ((attribute.flags & TypeId::ATTR_GET) == 0)
                {
                    continue; // without a value: SetDocumentation()
                }
                const Ptr<AttributeValue> value = attribute.checker->Create();
                if (intra.GetAttributeFailSafe(attribute.name, *value))
                {
                    text += " " + value->SerializeToString(attribute.checker);
                }
            }
        }
        return text;
    };
    return write(*this) == write(other);
}

TimePs
IntraTopology::GetPcieLatency() const
{
    return m_pcieLatency.GetPicoSeconds();
}

} // namespace ns3::rails
