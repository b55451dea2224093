// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_LOCK_H
#define FILE_LOCK_H

#include <filesystem>

namespace ns3::rails
{

/**
 * An operating-system lock (flock) on a file or a folder. The system releases it however the
 * process ends. On a file system without locks it is always free.
 */
class FileLock
{
  public:
    /**
     * Retries for up to 2 s, so that killed processes can end.
     * \param path a file or an existing folder
     * \param flags of open(); O_CREAT for a file that may not exist
     * \param isShared a shared instead of an exclusive lock
     */
    FileLock(const std::filesystem::path& path, int flags, bool isShared);
    ~FileLock();

    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /// \return false when another process has the lock
    bool IsFree() const
    {
        return m_isFree;
    }

  private:
    int m_file; //!< file descriptor; negative when the file cannot be opened
    bool m_isFree{true};
};

} // namespace ns3::rails

#endif // FILE_LOCK_H
