// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWEEP_FOLDER_H
#define RAILS_SWEEP_FOLDER_H

#include "ns3/rails-experiment.h"

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What is in the folder of a point.
enum class PointState
{
    Missing,      //!< no whole result
    Done,         //!< the result of this very run, be it one that did not end well
    Failed,       //!< no result, and a record of why
    OtherVersion, //!< the result of the same configuration by other versions
    OtherInput,   //!< the result of the same configuration with other files
    OtherConfig   //!< the result of another configuration
};

/// The folder of a point as it is.
struct PointRecord
{
    PointState state{PointState::Missing};
    nlohmann::json json;      //!< of its result or failure; null when it is missing
    std::string difference;   //!< for OtherConfig: the first key that differs, and how
    bool isOtherBuild{false}; //!< for Done: the program was another one of the same version
};

/// What a sweep was asked for, so that it can be taken up again.
struct SweepSnapshot
{
    std::string source;            //!< file of the descriptor, absolute
    std::string text;              //!< the descriptor as it was
    std::vector<std::string> sets; //!< arguments of `--set`
    std::string name;              //!< of the experiment
    std::size_t points{0};         //!< how many there are
    nlohmann::json options;        //!< how it is to be run
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
     * \param name name of the point
     * \param experiment its experiment, with its key
     */
    PointRecord Find(const std::string& name, const Experiment& experiment) const;

    /// \return status of the point's whole result of this key, nothing when it has none
    std::optional<int> FindResult(const std::string& name, const std::string& key) const;

    /**
     * Records why a point has no result; a result of other versions or configurations stays.
     * \throws OutputError
     */
    void WriteFailure(const std::string& name, const nlohmann::ordered_json& failure) const;

    /// Forgets how a run of this key ended: the record of a failure, and a result that is to be
    /// replaced.
    void Forget(const std::string& name, const std::string& key) const;

    /// \return status with which the run of this key ended, with a result or a recorded failure
    std::optional<int> FindEnd(const std::string& name, const std::string& key) const;

    /// \throws OutputError
    void WriteSnapshot(const SweepSnapshot& snapshot) const;

    /// \throws OutputError when there is none
    SweepSnapshot ReadSnapshot() const;

  private:
    std::filesystem::path m_path;
};

} // namespace ns3::rails

#endif // RAILS_SWEEP_FOLDER_H
