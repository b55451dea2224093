// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RESULT_INDEX_H
#define RAILS_RESULT_INDEX_H

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return true when a folder contains any file of a result or of the record of a failure
bool HasResultParts(const std::filesystem::path& folder);

/**
 * A table of the points below a folder, with their effective parameters and results: a row for each
 * whole result and each recorded failure. It depends only on the folders, so it can be rebuilt at
 * any time.
 */
class ResultIndex
{
  public:
    /**
     * Reads the folders.
     * \param folder of a sweep or of a single run
     * \throws OutputError when there is no such folder
     */
    explicit ResultIndex(const std::filesystem::path& folder);

    /// \return number of points
    std::size_t GetPoints() const;

    /// \return why a folder with parts of a result has no row, by name of the folder
    const std::map<std::string, std::string>& GetDamaged() const
    {
        return m_damaged;
    }

    /**
     * Writes `index.sqlite` into the folder: the tables `points` and `artefacts` (point, file,
     * kind, bytes). Replaces an existing index in one step. Quantities are numbers in s, bit/s and
     * B.
     *
     * \throws OutputError when the file cannot be written, or another file has this name
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

    /**
     * Writes the planning times of studies of expert placement policies, in the format of
     * planning_path (PlanningRule). A time is the mean over studies that differ only in loads and
     * seeds.
     * \throws OutputError when there are no studies, or the file cannot be written
     */
    void WritePlanning(const std::filesystem::path& file) const;

  private:
    /// Values by column; a column that a row lacks is null.
    using Row = std::map<std::string, nlohmann::json>;

    void Read(const std::filesystem::path& folder, const std::string& name);
    std::string AddColumns(const Row& row);

    std::filesystem::path m_folder;
    std::vector<std::string> m_columns;         //!< of the table of points
    std::map<std::string, std::string> m_known; //!< names in m_columns, by lower-case name
    std::vector<Row> m_points;
    std::vector<Row> m_artefacts;
    std::map<std::string, std::string> m_damaged;
    std::set<std::string> m_own; //!< points of the sweep's last start; empty for all
};

/**
 * Checks that the tables of an index can be written.
 * \param csvFile for WriteCsv(); empty without one
 * \param jsonFile for WriteTableJson(); empty without one
 * \param planningFile for WritePlanning(); empty without one
 * \throws OutputError when a file exists that is no such table
 */
void CheckIndexTables(const std::filesystem::path& csvFile,
                      const std::filesystem::path& jsonFile,
                      const std::filesystem::path& planningFile);

/**
 * \param database an index
 * \param [out] fault why the index cannot be used; empty when it can, or when it does not exist
 * \return wall-clock seconds of points that ended well, by name
 */
std::map<std::string, double> ReadRunTimes(const std::filesystem::path& database,
                                           std::string& fault);

} // namespace ns3::rails

#endif // RAILS_RESULT_INDEX_H
