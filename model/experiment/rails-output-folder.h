// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_OUTPUT_FOLDER_H
#define RAILS_OUTPUT_FOLDER_H

#include <filesystem>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

/// A folder that cannot take a result; what() says why and what helps.
class OutputError : public std::runtime_error
{
  public:
    OutputError(const std::filesystem::path& folder, const std::string& message)
        : std::runtime_error(folder.string() + ": error: " + message)
    {
    }
};

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
     * \throws OutputError
     */
    void Commit();

  private:
    void CheckContent(bool force) const;
    void RemoveLeftovers() const;

    std::filesystem::path m_path;
    std::filesystem::path m_work;
    bool m_committed{false};
};

} // namespace ns3::rails

#endif // RAILS_OUTPUT_FOLDER_H
