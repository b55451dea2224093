// SPDX-License-Identifier: GPL-2.0-only
#include "rails-units.h"

#include "rails-error.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <ostream>

namespace ns3::rails
{

TimePs
LongSerialisationTime(uint64_t bytes, uint64_t rateBps)
{
    using boost::multiprecision::uint128_t;
    const uint128_t product = uint128_t(bytes) * 8'000'000'000'000ULL + (rateBps - 1);
    return (product / rateBps).convert_to<TimePs>();
}

namespace
{

[[noreturn]] void
RefuseTime()
{
    throw ConfigurationError("",
                             "it would go on for more than 46 days of simulated time (4e18 ps): "
                             "shorten what computes or waits, or make fewer iterations");
}

} // namespace

TimePs
AddTimes(TimePs begin, TimePs duration)
{
    if (duration > kLongestRun - begin)
    {
        RefuseTime();
    }
    return begin + duration;
}

TimePs
MultiplyTime(TimePs duration, uint64_t times)
{
    if (times > 0 && static_cast<uint64_t>(duration) > static_cast<uint64_t>(kLongestRun) / times)
    {
        RefuseTime();
    }
    return duration * static_cast<TimePs>(times);
}

std::ostream&
operator<<(std::ostream& os, ByteSize size)
{
    return os << size.Get();
}

ATTRIBUTE_VALUE_IMPLEMENT(ByteSize);

} // namespace ns3::rails
