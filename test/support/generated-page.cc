// SPDX-License-Identifier: GPL-2.0-only
#include "generated-page.h"

#include "source-folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace ns3::rails::test
{

namespace
{

/// First and last text of the lines around a part.
struct Marks
{
    explicit Marks(const std::string& path)
    {
        const std::string markdown = ".md";
        if (path.size() > markdown.size() &&
            path.compare(path.size() - markdown.size(), markdown.size(), markdown) == 0)
        {
            begin = "<!-- generated: ";
            end = "<!-- end: ";
            close = " -->";
        }
    }

    std::string begin{".. generated: "};
    std::string end{".. end: "};
    std::string close;
};

/// Where a part of a page begins and ends, without the blank lines around it.
struct Range
{
    std::size_t begin{std::string::npos};
    std::size_t end{std::string::npos};
};

Range
FindPart(const std::string& text, const Marks& marks, const std::string& name)
{
    const std::string head = "\n" + marks.begin + name + marks.close + "\n\n";
    const std::size_t begin = text.find(head);
    const std::size_t end = text.find("\n" + marks.end + name + marks.close + "\n");
    if (begin == std::string::npos || end == std::string::npos || end < begin + head.size() - 1)
    {
        return {};
    }
    return {begin + head.size(), std::max(begin + head.size(), end)};
}

/// \return the first different line, actual and expected
std::string
DescribeDifference(const std::string& is, const std::string& shouldBe)
{
    std::istringstream left(is);
    std::istringstream right(shouldBe);
    for (std::size_t number = 1;; ++number)
    {
        std::string one;
        std::string other;
        const bool hasOne = static_cast<bool>(std::getline(left, one));
        const bool hasOther = static_cast<bool>(std::getline(right, other));
        if (hasOne != hasOther || one != other || !hasOne)
        {
            return "line " + std::to_string(number) + " of it is\n" + (hasOne ? one : "(its end)") +
                   "\nand should be\n" + (hasOther ? other : "(its end)");
        }
    }
}

} // namespace

GeneratedPage::GeneratedPage(const std::string& path)
    : m_path(path)
{
    std::ifstream file(GetSourceFolder() + "/" + path);
    m_text.assign(std::istreambuf_iterator<char>(file), {});
}

const std::string&
GeneratedPage::GetText() const
{
    return m_text;
}

std::vector<std::string>
GeneratedPage::GetParts() const
{
    const Marks marks(m_path);
    std::vector<std::string> names;
    std::istringstream lines(m_text);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.compare(0, marks.begin.size(), marks.begin) == 0)
        {
            const std::size_t length = line.size() - marks.begin.size() - marks.close.size();
            names.push_back(line.substr(marks.begin.size(), length));
        }
    }
    return names;
}

std::string
GeneratedPage::GetPart(const std::string& name) const
{
    const Range range = FindPart(m_text, Marks(m_path), name);
    return range.begin == std::string::npos ? ""
                                            : m_text.substr(range.begin, range.end - range.begin);
}

void
GeneratedPage::Expect(const std::string& name, const std::string& text)
{
    const Range range = FindPart(m_text, Marks(m_path), name);
    if (range.begin == std::string::npos)
    {
        const Marks marks(m_path);
        ADD_FAILURE() << m_path << " has no part between the lines '" << marks.begin << name
                      << marks.close << "' and '" << marks.end << name << marks.close << "'";
        return;
    }
    const std::string is = GetPart(name);
    if (is == text)
    {
        return;
    }
    if (std::getenv("RAILS_WRITE_PAGES") != nullptr)
    {
        const bool isNew = range.begin == range.end;
        m_text.replace(range.begin, range.end - range.begin, text + (isNew ? "\n" : ""));
        std::ofstream(GetSourceFolder() + "/" + m_path) << m_text;
        return;
    }
    ADD_FAILURE() << "the part '" << name << "' of " << m_path
                  << " is stale: " << DescribeDifference(is, text)
                  << "\nRun this test again with RAILS_WRITE_PAGES=1 in its environment, which "
                     "writes it.";
}

} // namespace ns3::rails::test
