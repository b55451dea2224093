// SPDX-License-Identifier: GPL-2.0-only
#include "collective-options.h"

#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveOptions);

const char* const kAlgorithmHelp =
    "ring: rings of all GPUs of a group. hierarchical: on rings inside servers, and on rings over "
    "servers of the GPUs with the same place in each, so that all NICs work; groups need as many "
    "GPUs on each of their servers. tree: double binary trees over servers, as NCCL has them for "
    "all-reduce; a reduce-scatter goes up and its parts down, an all-gather the reverse. direct: "
    "each GPU sends each other one its part, all at once. "
    "automatic: the one that an estimate finds to be the fastest, from the rates and latencies of "
    "NVLink, NICs and the fabric, whatever the engine, of the first three; ring inside a server. A "
    "broadcast or reduce "
    "knows ring, a chain that leaves each server by one NIC, and hierarchical, which automatic "
    "takes where a group has several GPUs on each of several servers. (our choice)";

const char* const kRingsHelp =
    "Rings, or channels of trees, that have a part of the buffer each and do not wait for each "
    "other, nor share a queue pair. Of several, ring r leaves every server by the r-th of the NICs "
    "near the group's GPUs there, and arrives on the same rail, at GPUs near that NIC where there "
    "are some, whatever scheme balances other traffic; the planner (other, where it is given) "
    "places a single one. automatic: as many as a group has such NICs on a server, and one "
    "chain of a broadcast or reduce. "
    "hierarchical has a ring for each place on a server, which automatic keeps on the NIC near it, "
    "and 1 leaves to the planner. (NCCL opens rings over all NICs.)";

Ptr<const AttributeChecker>
MakeAlgorithmChecker()
{
    return MakeEnumChecker(ALGORITHM_RING,
                           GetName(ALGORITHM_RING),
                           ALGORITHM_HIERARCHICAL,
                           GetName(ALGORITHM_HIERARCHICAL),
                           ALGORITHM_TREE,
                           GetName(ALGORITHM_TREE),
                           ALGORITHM_DIRECT,
                           GetName(ALGORITHM_DIRECT),
                           ALGORITHM_AUTOMATIC,
                           GetName(ALGORITHM_AUTOMATIC));
}

Ptr<const AttributeChecker>
MakeRingsChecker()
{
    constexpr uint32_t most = 1'024;
    return MakeCountRange<uint32_t>(1, most, {GetName(ALGORITHM_AUTOMATIC)});
}

void
CheckCollective(const CollectiveGroups& groups, const CollectiveChoice& asked)
{
    if (asked.algorithm == ALGORITHM_DIRECT && asked.rings != 1 && asked.rings != kAutomaticRings)
    {
        throw ConfigurationError("rings",
                                 "direct has none: leave it out, or set algorithm to ring or tree");
    }
    if (asked.algorithm != ALGORITHM_HIERARCHICAL)
    {
        return;
    }
    if (groups.CountPerServer() == 0)
    {
        throw ConfigurationError("algorithm",
                                 "hierarchical needs groups with as many GPUs on each of their "
                                 "servers, for one contiguous ones whose size is a divisor or a "
                                 "multiple of the " +
                                     std::to_string(groups.GetShape().gpusPerServer) +
                                     " GPUs of a server: set it to ring or automatic");
    }
    if (asked.rings != 1 && asked.rings != kAutomaticRings)
    {
        throw ConfigurationError("rings",
                                 "hierarchical has a ring for each place on a server: set it to "
                                 "automatic, or to 1, which lets the planner place them");
    }
}

TypeId
CollectiveOptions::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using AlgorithmValue = decltype(EnumValue(ALGORITHM_AUTOMATIC));
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CollectiveOptions").SetParent<Object>(),
                         "How GPUs do their collectives.")
            .SetGroupName("Rails")
            .AddConstructor<CollectiveOptions>()
            .AddAttribute("Algorithm",
                          kAlgorithmHelp,
                          AlgorithmValue(ALGORITHM_AUTOMATIC),
                          MakeAccessorHelper<AlgorithmValue>(&CollectiveOptions::m_algorithm),
                          MakeAlgorithmChecker())
            .AddAttribute("Rings",
                          kRingsHelp,
                          UintegerValue(kAutomaticRings),
                          MakeUintegerAccessor(&CollectiveOptions::m_rings),
                          MakeRingsChecker());
    return tid;
}

CollectiveChoice
CollectiveOptions::Get() const
{
    return {m_algorithm, m_rings};
}

} // namespace ns3::rails
