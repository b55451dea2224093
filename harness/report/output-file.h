// SPDX-License-Identifier: GPL-2.0-only
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <cerrno>
#include <filesystem>
#include <functional>
#include <ios>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ns3::rails
{

/// A folder or file that cannot be written; what() says why and what helps.
class OutputError : public std::runtime_error
{
  public:
    /**
     * \param code error of a system call, if there is one
     */
    OutputError(const std::filesystem::path& path,
                const std::string& message,
                std::error_code code = {})
        : std::runtime_error(path.string() + ": error: " + message +
                             (code ? " (" + code.message() + ")" : "")),
          m_code(code)
    {
    }

    /// Names the path of the error and a remedy.
    explicit OutputError(const std::filesystem::filesystem_error& error);

    /// \return true when the disk or the user's quota is full
    bool IsDiskFull() const
    {
        return m_code == std::errc::no_space_on_device || m_code.value() == EDQUOT;
    }

  private:
    std::error_code m_code;
};

/**
 * Calls a function that uses paths from the user.
 * \param work called without arguments
 * \return its result
 * \throws OutputError also in place of filesystem_error
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

/// \return why writing a file failed; no error on success. The caller sets errno to 0 before the
/// first write.
std::error_code FindWriteError(const std::ios& file);

/**
 * Writes a file atomically and forces it to disk: the path has either the old or the whole new
 * content. Replaces a link itself, never its target.
 * \throws OutputError
 */
void WriteFileAtOnce(const std::filesystem::path& path, const std::string& text);

/**
 * Like WriteFileAtOnce(), but writes into a link, a pipe or a device, as the user named it.
 * \throws OutputError
 */
void WriteNamedFile(const std::filesystem::path& path, const std::string& text);

/**
 * Checks that a file can be written, without changing it.
 * \throws OutputError
 */
void CheckFile(const std::filesystem::path& path);

/// Creates an empty file under an unused name, following no link. \throws OutputError
void MakeNewFile(const std::filesystem::path& path);

/// Returns whether this program wrote a regular file, for the same purpose.
using FileRecogniser = std::function<bool(const std::filesystem::path&)>;

/// \return a recogniser of files that begin with a text
FileRecogniser RecogniseBegin(const std::string& text);

/**
 * Checks that a file in a folder of results may be replaced: when it does not exist, is empty, or
 * was written by this program.
 * \param isOwn recognises files of this program; empty: never replace a file with content
 * \param message of the error, with a remedy
 * \throws OutputError when the file may not be replaced, including links and other non-files
 */
void CheckReplaceable(const std::filesystem::path& path,
                      const FileRecogniser& isOwn,
                      const std::string& message);

/**
 * Like CheckReplaceable() for a file that the user names: always allows pipes, devices and the
 * output of this process.
 */
void CheckNamedFile(const std::filesystem::path& path,
                    const FileRecogniser& isOwn,
                    const std::string& message);

} // namespace ns3::rails

#endif // OUTPUT_FILE_H
