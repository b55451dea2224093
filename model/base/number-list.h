// SPDX-License-Identifier: GPL-2.0-only
#ifndef NUMBER_LIST_H
#define NUMBER_LIST_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"

#include <iosfwd>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A list of numbers as an ns-3 attribute; as text, "[0.5, 0.25, 0.25]".
class NumberList
{
  public:
    NumberList() = default;

    NumberList(std::vector<double> numbers)
        : m_numbers(std::move(numbers))
    {
    }

    const std::vector<double>& Get() const
    {
        return m_numbers;
    }

  private:
    std::vector<double> m_numbers;
};

std::ostream& operator<<(std::ostream& os, const NumberList& list);
std::istream& operator>>(std::istream& is, NumberList& list);

ATTRIBUTE_HELPER_HEADER(NumberList);

} // namespace ns3::rails

#endif // NUMBER_LIST_H
