// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_FOLDER_H
#define RAILS_SWEEP_FOLDER_H

#include "rails-result.h"
#include "rails-run-keys.h"
#include "rails-run-size.h"

#include "ns3/component-registry.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-experiment.h"

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

/// State of the folder of a point.
enum class PointState
{
    Missing,    //!< no whole result
    Done,       //!< the result of this very run, including a run that did not end well
    Failed,     //!< no result, but the record of a failure
    OtherMaker, //!< a result of the same configuration and files, by another program
    OtherInput, //!< a result of the same configuration with other files
    OtherConfig //!< a result of another configuration
};

/// \return a hash of a configuration without its name
std::string HashConfig(nlohmann::json config);

/// The content of a point's folder.
struct PointRecord
{
    PointState state{PointState::Missing};
    nlohmann::json json;    //!< of its result or failure; null when missing
    std::string difference; //!< for OtherConfig: the first key that differs, with both values
    std::string maker;      //!< for OtherMaker: such as "another build of rails 1.0"
};

/// The request for a sweep, saved so that it can be resumed.
struct SweepSnapshot
{
    std::string source;                            //!< file of the descriptor, absolute
    std::string text;                              //!< text of the descriptor at that time
    std::vector<std::string> sets;                 //!< arguments of `--set`
    std::string name;                              //!< of the experiment
    std::size_t points{0};                         //!< number of points
    nlohmann::json options;                        //!< options of the run
    std::map<std::string, std::string> baseline{}; //!< label by axis, see Sweep::GetBaseline()
    std::string program{};                         //!< hash of the program that started it

    /// \return a hash of the inputs of all points: the descriptor, its path, and `sets`
    std::string Hash() const;
};

/// \return a snapshot with the fields that depend only on the descriptor
SweepSnapshot MakeSnapshot(const DescriptorText& text);

/**
 * \param libraries of user-defined components, which a folder of results does not name
 * \return the command that runs the sweep again from any folder
 */
std::string MakeRunCommand(const SweepSnapshot& snapshot,
                           const std::vector<std::string>& libraries = {});

/**
 * The folder of a sweep: a folder for each point with its result (`result.json` and tables) or the
 * record of its failure (`failure.json`), and a hidden folder for the state of the sweep. Each file
 * appears in one step, so it is whole or absent whenever a process ends.
 */
class SweepFolder
{
  public:
    explicit SweepFolder(std::filesystem::path path);

    /**
     * \param path folder of the result of one run
     * \return a SweepFolder whose only point, of any name, is in the folder itself
     */
    static SweepFolder OfOneRun(std::filesystem::path path);

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

    std::filesystem::path GetPointFolder(const std::string& name) const;

    /// \return the hidden folder for the state of the sweep
    std::filesystem::path GetStateFolder() const;

    /**
     * Creates the folder.
     * \throws OutputError when that fails, when it contains the result of a single run, or other
     * files have the names that a sweep uses
     */
    void Prepare() const;

    /// \return true when a killed process left a half-replaced result in the folder or beside it
    bool IsInterrupted() const;

    /**
     * Restores results that IsInterrupted() found.
     * \param names of all points
     * \throws OutputError when a result cannot be restored
     */
    void Recover(const std::vector<std::string>& names) const;

    /**
     * Rejects a mix of simulations and studies of expert placement policies, which one table cannot
     * distinguish.
     * \throws OutputError when the folder has results of another kind
     */
    void CheckKind(ExperimentKind kind) const;

    /**
     * \param name of the point
     * \param experiment with its key
     * \param version for a run of the experiment now
     * \param keys cache for keys of other versions
     */
    PointRecord Find(const std::string& name,
                     const Experiment& experiment,
                     const VersionInfo& version,
                     RunKeys& keys) const;

    /// \return names of all point folders
    std::vector<std::string> ListFolders() const;

    /// \return the point folders by the hash of their configuration, see HashConfig()
    std::map<std::string, std::string> IndexConfigs() const;

    /**
     * Renames point folders, in an order without collisions.
     * \param moves old and new names; a new name is free, or an old name of another move
     * \throws OutputError when a folder cannot be renamed
     */
    void Rename(std::vector<std::pair<std::string, std::string>> moves) const;

    /**
     * Updates the names of a point's values in its result.
     * \param names `axes` and `labels` of WriteNames()
     * \throws OutputError when the result cannot be written
     */
    void WriteNames(const std::string& name, const nlohmann::ordered_json& names) const;

    /// \return status of the point's whole result with this key, if there is one
    std::optional<int> FindResult(const std::string& name, const std::string& key) const;

    /**
     * Records why a point has no result. Moves a former result aside (kEarlierResult), so that it
     * does not look like the result of the failed run.
     * \throws OutputError when the record cannot be written
     */
    void WriteFailure(const std::string& name, const nlohmann::ordered_json& failure) const;

    /// Removes the record of a failure with this key, and moves a result that is to be replaced
    /// aside.
    void Forget(const std::string& name, const std::string& key) const;

    /// \return status of the run with this key, from its result or recorded failure
    std::optional<int> FindEnd(const std::string& name, const std::string& key) const;

    /// Saves the request for the sweep.
    /// \throws OutputError when it cannot be written
    void WriteSnapshot(const SweepSnapshot& snapshot) const;

    /// \return the saved request, without fields that are never read
    /// \throws OutputError when WriteSnapshot() was never called, or by another program
    SweepSnapshot ReadSnapshot() const;

    /**
     * Saves the names of the points of the sweep's last start (`points.json`).
     * \throws OutputError when it cannot be written
     */
    void WritePoints(const std::vector<std::string>& names) const;

    /// \return the names in `points.json`; none without the file. Each names a folder in this one.
    std::vector<std::string> ReadPoints() const;

    /**
     * Saves the estimated sizes of points, so that their run times predict the times of others.
     * Keeps saved sizes of points that are not in `sizes`.
     * \param sizes by name of the point
     * \throws OutputError when it cannot be written
     */
    void WriteSizes(const std::map<std::string, RunSize>& sizes) const;

    /// \return the saved sizes, by name of the point
    std::map<std::string, RunSize> ReadSizes() const;

    /// \return names of point folders that are not in `points.json`
    std::vector<std::string> ListEarlierPoints() const;

  private:
    std::optional<ExperimentKind> FindKind() const;
    void CheckStateFolder() const;
    bool HasSnapshot() const;
    bool HasPointOfList() const;
    std::filesystem::path GetOwnFolder(const std::string& name) const;
    std::filesystem::path GetSizesFile() const;

    std::filesystem::path m_path;
    bool m_isOneRun{false}; //!< the point has no folder of its own
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_FOLDER_H
