// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_FOLDER_H
#define RAILS_SWEEP_FOLDER_H

#include "rails-result.h"
#include "rails-run-keys.h"
#include "rails-run-size.h"

#include "ns3/rails-experiment.h"
#include "ns3/rails-schema.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What is in the folder of a point.
enum class PointState
{
    Missing,    //!< no whole result
    Done,       //!< the result of this very run, be it one that did not end well
    Failed,     //!< no result, and a record of why
    OtherMaker, //!< the result of the same configuration and files by another program
    OtherInput, //!< the result of the same configuration with other files
    OtherConfig //!< the result of another configuration
};

/// \return the same text for configurations that are equal but for their name
std::string HashConfig(nlohmann::json config);

/// The folder of a point as it is.
struct PointRecord
{
    PointState state{PointState::Missing};
    nlohmann::json json;    //!< of its result or failure; null when it is missing
    std::string difference; //!< for OtherConfig: the first key that differs, and how
    std::string maker;      //!< for OtherMaker: what made it, as "another build of rails 1.0"
};

/// What a sweep was asked for, so that it can be taken up again.
struct SweepSnapshot
{
    std::string source;                            //!< file of the descriptor, absolute
    std::string text;                              //!< the descriptor as it was
    std::vector<std::string> sets;                 //!< arguments of `--set`
    std::string name;                              //!< of the experiment
    std::size_t points{0};                         //!< how many there are
    nlohmann::json options;                        //!< how it is to be run
    std::map<std::string, std::string> baseline{}; //!< label by axis, see Sweep::GetBaseline()
    std::string program{};                         //!< hash of the program that it was started with
};

/**
 * The folder of a sweep: a folder for each point with its result (`result.json` and tables) or the
 * record of its failure (`failure.json`), and a hidden one for what the sweep itself keeps.
 * Everything in it is made in one step, so that it is whole or absent whenever a process ends.
 */
class SweepFolder
{
  public:
    explicit SweepFolder(std::filesystem::path path);

    /**
     * \param path folder of the result of one run
     * \return a folder whose only point, whatever its name, is in the folder itself
     */
    static SweepFolder OfOneRun(std::filesystem::path path);

    const std::filesystem::path& GetPath() const;
    std::filesystem::path GetPointFolder(const std::string& name) const;

    /// \return the folder for what the sweep itself keeps
    std::filesystem::path GetStateFolder() const;

    /**
     * Makes the folder.
     * \throws OutputError when it cannot be, or when it holds the result of a single run
     */
    void Prepare() const;

    /**
     * Refuses experiments of another kind than those whose results are in the folder: nobody could
     * tell simulations and studies of policies for experts apart in one table.
     * \throws OutputError when there are such
     */
    void CheckKind(ExperimentKind kind) const;

    /**
     * \param name name of the point
     * \param experiment its experiment, with its key
     * \param version what it would be run with
     * \param keys makes the keys of runs
     */
    PointRecord Find(const std::string& name,
                     const Experiment& experiment,
                     const VersionInfo& version,
                     RunKeys& keys) const;

    /// \return names of all folders of points
    std::vector<std::string> ListFolders() const;

    /// \return the folders of points by the hash of the configuration that is in them, see
    /// HashConfig()
    std::map<std::string, std::string> IndexConfigs() const;

    /**
     * Gives folders of points other names, in an order in which none is in the way of another.
     * \param moves names before and after; those after are free, or become so
     * \throws OutputError when one cannot be renamed
     */
    void Rename(std::vector<std::pair<std::string, std::string>> moves) const;

    /**
     * Writes what the values of a point are called into its result, which stays as it is otherwise.
     * \param names `axes` and `labels` of WriteNames()
     * \throws OutputError when it cannot be written
     */
    void WriteNames(const std::string& name, const nlohmann::ordered_json& names) const;

    /// \return status of the point's whole result of this key, nothing when it has none
    std::optional<int> FindResult(const std::string& name, const std::string& key) const;

    /**
     * Records why a point has no result. A result that was to be replaced is put aside
     * (kEarlierResult), so that nobody takes it for the result of the run that failed.
     * \throws OutputError when the record cannot be written
     */
    void WriteFailure(const std::string& name, const nlohmann::ordered_json& failure) const;

    /// Forgets how a run of this key ended: the record of a failure, and a result that is to be
    /// replaced.
    void Forget(const std::string& name, const std::string& key) const;

    /// \return status with which the run of this key ended, with a result or a recorded failure
    std::optional<int> FindEnd(const std::string& name, const std::string& key) const;

    /// Writes down what the sweep was asked for.
    /// \throws OutputError when it cannot be written
    void WriteSnapshot(const SweepSnapshot& snapshot) const;

    /// \return what the sweep was asked for
    /// \throws OutputError when WriteSnapshot() was never called
    SweepSnapshot ReadSnapshot() const;

    /**
     * Writes down (`points.json`) which points belong to the sweep as it was started last.
     * \throws OutputError when it cannot be written
     */
    void WritePoints(const std::vector<std::string>& names) const;

    /// \return the names of the points of the sweep as it was started last; none without
    /// `points.json`
    std::vector<std::string> ReadPoints() const;

    /**
     * Writes down how large the points are, about, so that how long they took tells how long others
     * will; those that are not among them stay.
     * \param sizes by the names of points
     * \throws OutputError when it cannot be written
     */
    void WriteSizes(const std::map<std::string, RunSize>& sizes) const;

    /// \return how large points are, as far as it was written down
    std::map<std::string, RunSize> ReadSizes() const;

    /// \return the names of points that are in the folder and not of the sweep as it was started
    /// last
    std::vector<std::string> ListEarlierPoints() const;

  private:
    std::optional<ExperimentKind> FindKind() const;
    std::filesystem::path GetSizesFile() const;

    std::filesystem::path m_path;
    bool m_isOneRun{false}; //!< the point has no folder of its own
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_FOLDER_H
