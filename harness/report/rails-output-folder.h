// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_OUTPUT_FOLDER_H
#define RAILS_OUTPUT_FOLDER_H

#include "output-file.h"
#include "partial-path.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return names of all possible files of a result or of the record of a failure
const std::vector<std::string>& GetResultFiles();

/// File name of a former result.json after the run that was to replace it has failed.
inline constexpr const char* kEarlierResult = "earlier-result.json";

/// Forces the whole file system of a folder to disk, which is faster than file by file.
void ForceToDisk(const std::filesystem::path& folder);

/**
 * The folder of a result, which is whole or absent: files are written into a hidden folder beside
 * it, which takes its place in one step. Replacing a result removes only the files that the result
 * lists; all other files stay in the folder.
 */
class OutputFolder
{
  public:
    /**
     * Creates the hidden folder, so an unwritable result fails before the run.
     * \param path folder of the result
     * \param force replace an existing result; other files are never replaced
     * \param isPoint the folder belongs to a point of a sweep: a damaged result is replaced, and
     * the sweep handles concurrent writers (IsSecond())
     * \throws OutputError, also when another process writes the same result
     */
    OutputFolder(const std::string& path, bool force, bool isPoint = false);

    /// Removes the hidden folder when it was not committed.
    ~OutputFolder();

    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// \return the folder to write into
    const std::filesystem::path& GetWorkFolder() const
    {
        return m_work;
    }

    /**
     * Moves the written files to their place.
     * \param isForced force them to disk first, so that they survive a power failure; otherwise the
     * caller calls ForceToDisk()
     * \throws OutputError
     */
    void Commit(bool isForced = true);

    /**
     * Checks that a result can be put in a place, without creating anything.
     * \throws OutputError for existing files, like the constructor
     */
    static void Check(const std::string& path, bool force);

    /// Removes uncommitted files of this process for a place, so a later Commit() has nothing to
    /// move.
    static void RemovePartial(const std::string& path);

    /// \return true when another living process of this machine began to write this result earlier
    bool IsSecond() const;

    /// \return true when a living process of this machine is writing this result
    static bool IsBeingWritten(const std::filesystem::path& path);

    /**
     * Cleans up after processes that were killed while writing a result. First restores a former
     * result whose replacement is missing, then removes all partial paths of dead processes. Keeps
     * partial paths of living processes, and of processes on other machines.
     * \throws OutputError when a result cannot be restored
     */
    static void Recover(const std::filesystem::path& path);

  private:
    OutputFolder(std::filesystem::path path, bool isPoint);

    void RefuseSecond() const;
    void Replace();

    std::filesystem::path m_path;
    std::filesystem::path m_work; //!< empty until created
    bool m_isPoint;
    bool m_committed{false};
};

} // namespace ns3::rails

#endif // RAILS_OUTPUT_FOLDER_H
