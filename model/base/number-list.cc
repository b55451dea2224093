// SPDX-License-Identifier: GPL-2.0-only
#include "number-list.h"

#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <istream>
#include <iterator>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>

namespace ns3::rails
{

std::ostream&
operator<<(std::ostream& os, const NumberList& list)
{
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::digits10);
    const char* separator = "";
    for (double number : list.Get())
    {
        text << separator << number;
        separator = ", ";
    }
    return os << "[" << text.str() << "]";
}

std::istream&
operator>>(std::istream& is, NumberList& list)
{
    // Reads to the end in any case: ns-3 aborts the process when something is left.
    std::string text(std::istreambuf_iterator<char>(is), {});
    boost::algorithm::trim_if(text, boost::algorithm::is_any_of("[] "));
    std::vector<std::string> items;
    if (!text.empty())
    {
        boost::algorithm::split(items, text, boost::algorithm::is_any_of(","));
    }
    std::vector<double> numbers;
    for (std::string& item : items)
    {
        boost::algorithm::trim(item);
        double number = 0;
        if (!boost::conversion::try_lexical_convert(item, number))
        {
            is.setstate(std::ios::failbit | std::ios::eofbit);
            return is;
        }
        numbers.push_back(number);
    }
    list = NumberList(std::move(numbers));
    is.clear(std::ios::eofbit);
    return is;
}

ATTRIBUTE_VALUE_IMPLEMENT(NumberList);

Ptr<const AttributeChecker>
MakeNumberListChecker()
{
    return MakeSimpleAttributeChecker<NumberListValue, NumberListChecker>(
        "ns3::rails::NumberListValue",
        "list of numbers");
}

} // namespace ns3::rails
