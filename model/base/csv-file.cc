// SPDX-License-Identifier: GPL-2.0-only
#include "csv-file.h"

#include "rails-error.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace ns3::rails
{

namespace
{

constexpr size_t kLongestLine = 4 << 20; // a row for 200,000 GPUs

/**
 * \param text a number as printf and numpy write it: 1.250000e+02
 * \return its digits, 125, nothing being rounded; empty when it is not a whole number of this form
 */
std::string
WriteOut(const std::string& text)
{
    const size_t mark = text.find_first_of("eE");
    std::string digits = text.substr(0, mark);
    int exponent = 0;
    if (mark != std::string::npos)
    {
        const char* begin = text.data() + mark + 1;
        const char* end = text.data() + text.size();
        begin += begin != end && *begin == '+' ? 1 : 0;
        const auto [last, error] = std::from_chars(begin, end, exponent);
        constexpr int largest = 400; // beyond any double
        if (error != std::errc() || last != end || std::abs(exponent) > largest)
        {
            return "";
        }
    }
    const size_t point = std::min(digits.find('.'), digits.size());
    digits.erase(point, 1);
    if (point == 0 || digits.find_first_not_of("0123456789") != std::string::npos)
    {
        return "";
    }
    const int whole = std::max(0, static_cast<int>(point) + exponent);
    if (digits.size() < static_cast<size_t>(whole))
    {
        digits.resize(static_cast<size_t>(whole), '0');
    }
    const bool isWhole =
        digits.find_first_not_of('0', static_cast<size_t>(whole)) == std::string::npos;
    return isWhole ? "0" + digits.substr(0, static_cast<size_t>(whole)) : "";
}

} // namespace

CsvFile::CsvFile(const std::string& path)
    : m_path(path),
      m_buffer(new char[kLongestLine])
{
    if (path.empty())
    {
        throw ConfigurationError("path", "expected the path of a CSV file");
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) // a pipe may make us wait for ever
    {
        m_file.open(path);
    }
    if (!m_file.is_open())
    {
        FailFile("cannot be read");
    }
}

bool
CsvFile::NextLine(std::string& line)
{
    m_file.getline(m_buffer.get(), kLongestLine);
    const auto count = static_cast<size_t>(m_file.gcount());
    if (count == 0)
    {
        return false;
    }
    ++m_line;
    m_mark = {m_offset, m_line};
    if (m_file.fail())
    {
        m_starts = {1};
        FailRow("a line of more than " + std::to_string(kLongestLine >> 20) + " MiB");
    }
    const size_t size = count - (m_file.eof() ? 0 : 1); // without the line break
    line.assign(m_buffer.get(), size);
    m_offset += size + 1;
    return true;
}

bool
CsvFile::NextRow()
{
    std::string line;
    do
    {
        if (!NextLine(line))
        {
            return false;
        }
        boost::algorithm::trim_right(line); // the carriage return of Windows files too
    } while (line.empty());

    boost::algorithm::split(m_fields, line, [](char c) { return c == ','; });
    m_starts.clear();
    size_t start = 1;
    for (std::string& field : m_fields)
    {
        const size_t length = field.size();
        boost::algorithm::trim_left(field);
        m_starts.push_back(start + length - field.size());
        boost::algorithm::trim_right(field);
        start += length + 1;
    }
    return true;
}

void
CsvFile::GoTo(const Mark& mark)
{
    m_file.clear(); // clears the end-of-file bit
    m_file.seekg(static_cast<std::streamoff>(mark.offset));
    m_line = mark.line - 1;
    m_offset = mark.offset;
}

size_t
CsvFile::GetColumns() const
{
    return m_fields.size();
}

const std::string&
CsvFile::GetText(size_t column) const
{
    return m_fields.at(column);
}

uint64_t
CsvFile::GetNumber(size_t column, uint64_t maximum) const
{
    const std::string& field = GetText(column);
    const bool isPlain = field.find_first_not_of("0123456789") == std::string::npos;
    const std::string digits = isPlain ? field : WriteOut(field);
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc::invalid_argument)
    {
        Fail(column, "expected a whole number, found '" + field + "'");
    }
    if (error == std::errc::result_out_of_range || number > maximum)
    {
        Fail(column, "expected at most " + std::to_string(maximum) + ", found '" + field + "'");
    }
    return number;
}

void
CsvFile::Fail(size_t column, const std::string& message) const
{
    throw ConfigurationError("path",
                             m_path + ":" + std::to_string(m_line) + ":" +
                                 std::to_string(m_starts.at(column)) + ": " + message);
}

void
CsvFile::FailRow(const std::string& message) const
{
    Fail(0, message);
}

void
CsvFile::FailFile(const std::string& message) const
{
    throw ConfigurationError("path", m_path + ": " + message);
}

} // namespace ns3::rails
