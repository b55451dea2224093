// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_INDEX_H
#define RAILS_RESULT_INDEX_H

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// \return true when there is any part of a result, or the record of a failure, in a folder
bool HasResultParts(const std::filesystem::path& folder);

/**
 * A table of the points below a folder, with their effective parameters and results: a row for each
 * whole result and each recorded failure. It is made from the folders alone, so it can be made
 * again at any time.
 */
class ResultIndex
{
  public:
    /**
     * Reads the folders.
     * \param folder folder of a sweep, or of a single run
     * \throws OutputError when there is no such folder
     */
    explicit ResultIndex(const std::filesystem::path& folder);

    /// \return number of points
    std::size_t GetPoints() const;

    /// \return folders with parts of a result that is not whole, by alphabet
    const std::vector<std::string>& GetDamaged() const;

    /**
     * Writes `index.sqlite` into the folder: the table `points`, and `artefacts` (point, file,
     * kind, bytes). An index that is there is replaced in one step. Quantities are numbers in s,
     * bit/s and B.
     *
     * \throws OutputError when the file cannot be written
     */
    void WriteDatabase() const;

    /**
     * Writes the points as a table with one header line.
     * \throws OutputError when the file cannot be written
     */
    void WriteCsv(const std::filesystem::path& file) const;

    /**
     * Writes the points as a JSON table with the types of its columns (`pandas.read_json(file,
     * orient="table")`).
     * \throws OutputError when the file cannot be written
     */
    void WriteTableJson(const std::filesystem::path& file) const;

  private:
    /// Values by column; a column that a row lacks is null.
    using Row = std::map<std::string, nlohmann::json>;

    void Read(const std::filesystem::path& folder, const std::string& name);
    void AddColumns(const Row& row);

    std::filesystem::path m_folder;
    std::vector<std::string> m_columns; //!< of the points
    std::set<std::string> m_known;      //!< the names in m_columns
    std::vector<Row> m_points;
    std::vector<Row> m_artefacts;
    std::vector<std::string> m_damaged;
    std::set<std::string> m_own; //!< points of the sweep as it was started last; empty for all
};

/**
 * \param database an index that was written before
 * \return how many seconds the points in it took that ended well; none when it cannot be read
 */
std::map<std::string, double> ReadRunTimes(const std::filesystem::path& database);

} // namespace ns3::rails

#endif // RAILS_RESULT_INDEX_H
