// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_OUTPUT_FOLDER_H
#define RAILS_OUTPUT_FOLDER_H

#include <cerrno>
#include <filesystem>
#include <ios>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace ns3::rails
{

/// \return names of the files that a result, or the record of a failure, can consist of
const std::vector<std::string>& GetResultFiles();

/// A folder or file that cannot be written; what() says why and what helps.
class OutputError : public std::runtime_error
{
  public:
    /**
     * \param path folder or file
     * \param message what is wrong
     * \param code what the system said when writing failed; none when the place is not a fit one
     */
    OutputError(const std::filesystem::path& path,
                const std::string& message,
                std::error_code code = {})
        : std::runtime_error(path.string() + ": error: " + message +
                             (code ? " (" + code.message() + ")" : "")),
          m_code(code)
    {
    }

    /// \param error what the file system said of a path, which becomes the place; with a remedy
    explicit OutputError(const std::filesystem::filesystem_error& error);

    /// \return true when there is no space left on the disk, or in the user's share of it
    bool IsDiskFull() const
    {
        return m_code == std::errc::no_space_on_device || m_code.value() == EDQUOT;
    }

  private:
    std::error_code m_code;
};

/**
 * Calls what uses paths that a user has named.
 * \param work called without arguments
 * \return what it returns
 * \throws OutputError in place of what the file system says of a path, too
 */
template <typename Work>
auto
CallWithPaths(const Work& work)
{
    try
    {
        return work();
    }
    catch (const std::filesystem::filesystem_error& error)
    {
        throw OutputError(error);
    }
}

/// \return why a file could not be written; none when all is well. errno was 0 before the first
/// write.
std::error_code FindWriteError(const std::ios& file);

/// \return name of this machine, since folders are shared between machines; empty when the system
/// does not tell it
std::string GetHostName();

/// Name of the file that a result is put aside in when the run that was to replace it has failed.
inline constexpr const char* kEarlierResult = "earlier-result.json";

/**
 * \param path a file or folder that is to appear in one step
 * \return where this process writes it before: a hidden name beside it, which
 * OutputFolder::RemoveLeftovers() finds when the process was killed
 */
std::filesystem::path MakePartialPath(const std::filesystem::path& path);

/**
 * Writes a file that is whole or as it was before, and forces it to disk. What is there and no
 * regular file, such as a link, a pipe or a device, is written into instead.
 * \throws OutputError
 */
void WriteFileAtOnce(const std::filesystem::path& path, const std::string& text);

/**
 * Looks whether a file can be written; it stays as it is.
 * \throws OutputError
 */
void CheckFile(const std::filesystem::path& path);

/// Forces everything on the file system of a folder to disk, which is quicker than file by file.
void ForceToDisk(const std::filesystem::path& folder);

/**
 * The folder of a result, which is whole or absent: files are written into a hidden folder beside
 * it, which takes its place in one step.
 */
class OutputFolder
{
  public:
    /**
     * Makes the hidden folder, and so finds out before a run whether its result can be written.
     * \param path where the result is to be
     * \param force whether a result that is there already may be replaced; other files never are
     * \throws OutputError
     */
    OutputFolder(const std::string& path, bool force);

    /// Removes the hidden folder when it was not committed.
    ~OutputFolder();

    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    /// \return the folder to write into
    const std::filesystem::path& GetWorkFolder() const;

    /**
     * Puts what was written in its place.
     * \param isForced forced to disk, so that it survives a power failure; otherwise that is the
     * caller's business (ForceToDisk())
     * \throws OutputError
     */
    void Commit(bool isForced = true);

    /**
     * Looks whether a result can be put in a place; nothing is made.
     * \throws OutputError as the constructor would for what is there already
     */
    static void Check(const std::string& path, bool force);

    /// Removes what this process has written for a place and not put there.
    static void RemovePartial(const std::string& path);

    /// \return true when another living process of this machine began to write for this place
    /// before
    bool IsSecond() const;

    /// \return true when a living process of this machine is writing a result for this place
    static bool IsBeingWritten(const std::filesystem::path& path);

    /// Removes hidden files and folders that processes of this machine left beside this place when
    /// they were killed.
    static void RemoveLeftovers(const std::filesystem::path& path);

  private:
    static std::filesystem::path MakePath(const std::string& path);
    static void CheckContent(const std::filesystem::path& path, bool force);

    std::filesystem::path m_path;
    std::filesystem::path m_work;
    bool m_committed{false};
};

} // namespace ns3::rails

#endif // RAILS_OUTPUT_FOLDER_H
