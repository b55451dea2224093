// SPDX-License-Identifier: GPL-2.0-only
#ifndef CSV_FILE_H
#define CSV_FILE_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Reads a plain CSV file row by row, strictly: whoever gives a wrong file is told the place. (The
 * CsvReader of ns-3 takes "12abc" and "-1" for unsigned numbers.) Everything it throws is a
 * ConfigurationError with the key "path" and a message that begins with FILE:LINE:COLUMN where
 * there is such a place. Blank lines are passed over.
 */
class CsvFile
{
  public:
    /// \param path file to read; throws when it cannot be read
    explicit CsvFile(const std::string& path);

    /// Where a row begins.
    struct Mark
    {
        uint64_t offset{0}; //!< in bytes
        size_t line{0};     //!< from 1
    };

    /// \return false at the end of the file
    bool NextRow();

    /// \return where this row begins
    const Mark& GetMark() const;

    /// Makes the row that begins at a place the next one to be read.
    void GoTo(const Mark& mark);

    /// \return number of fields of this row
    size_t GetColumns() const;

    /// \return a field of this row without the blanks around it
    const std::string& GetText(size_t column) const;

    /**
     * \param column field of this row
     * \param maximum largest number allowed
     * \return the field as a decimal number, be it written as 1.000000e+06; throws when the field
     * is no number, or not a whole one
     */
    uint64_t GetNumber(size_t column, uint64_t maximum) const;

    /// Throws with the place of a field of this row.
    [[noreturn]] void Fail(size_t column, const std::string& message) const;

    /// Throws with the place of this row.
    [[noreturn]] void FailRow(const std::string& message) const;

    /// Throws with the name of the file alone.
    [[noreturn]] void FailFile(const std::string& message) const;

  private:
    std::string m_path;
    std::ifstream m_file;
    size_t m_line{0};
    uint64_t m_offset{0}; //!< of the next line
    Mark m_mark;
    std::vector<std::string> m_fields;
    std::vector<size_t> m_starts; //!< place of each field in its line, from 1
};

} // namespace ns3::rails

#endif // CSV_FILE_H
