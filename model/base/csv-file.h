// SPDX-License-Identifier: GPL-2.0-only
#ifndef CSV_FILE_H
#define CSV_FILE_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Reads a plain CSV file row by row, strictly, and names the place of each mistake. (ns-3's
 * CsvReader takes "12abc" and "-1" for unsigned numbers.) All exceptions are ConfigurationErrors
 * with the key "path" and a message that begins with FILE:LINE:COLUMN, as far as known. Blank lines
 * are skipped.
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

    /// \return false at the end of the file; throws for a line over 4 MiB
    bool NextRow();

    /// \return where this row begins
    const Mark& GetMark() const
    {
        return m_mark;
    }

    /// Makes the row that begins at a place the next one to be read.
    void GoTo(const Mark& mark);

    /// \return number of fields of this row
    size_t GetColumns() const;

    /// \return a field of this row without the blanks around it
    const std::string& GetText(size_t column) const;

    /**
     * \param column field of this row
     * \param maximum largest number allowed
     * \return the field as an integer, possibly written as 1.000000e+06; throws for any other text
     */
    uint64_t GetNumber(size_t column, uint64_t maximum) const;

    /// Throws with the place of a field of this row.
    [[noreturn]] void Fail(size_t column, const std::string& message) const;

    /// Throws with the place of this row.
    [[noreturn]] void FailRow(const std::string& message) const;

    /// Throws with the name of the file alone.
    [[noreturn]] void FailFile(const std::string& message) const;

  private:
    /// Reads a line, without its end. \return false at the end of the file
    bool NextLine(std::string& line);

    std::string m_path;
    std::ifstream m_file;
    std::unique_ptr<char[]> m_buffer; //!< of one line; pages that no line reaches take no memory
    size_t m_line{0};
    uint64_t m_offset{0}; //!< of the next line
    Mark m_mark;
    std::vector<std::string> m_fields;
    std::vector<size_t> m_starts; //!< column of each field in its line, from 1
};

} // namespace ns3::rails

#endif // CSV_FILE_H
