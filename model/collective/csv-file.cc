// SPDX-License-Identifier: GPL-2.0-only
#include "csv-file.h"

#include "ns3/rails-error.h"

#include <boost/algorithm/string.hpp>
#include <charconv>
#include <filesystem>

namespace ns3::rails
{

CsvFile::CsvFile(const std::string& path)
    : m_path(path)
{
    if (path.empty())
    {
        throw ConfigurationError("path", "expected the path of a CSV file");
    }
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored))
    {
        m_file.open(path);
    }
    if (!m_file.is_open())
    {
        FailFile("cannot be read");
    }
}

bool
CsvFile::NextRow()
{
    std::string line;
    do
    {
        if (!std::getline(m_file, line))
        {
            return false;
        }
        ++m_line;
        boost::algorithm::trim_right(line); // the carriage return of files from elsewhere too
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
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error == std::errc::invalid_argument || end != field.data() + field.size())
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
