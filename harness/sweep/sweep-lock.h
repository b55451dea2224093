// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWEEP_LOCK_H
#define SWEEP_LOCK_H

#include "ns3/file-lock.h"
#include "ns3/rails-sweep-folder.h"

#include <filesystem>

namespace ns3::rails
{

/**
 * Locks the folder of a sweep for one process that runs points, as two would rename folders and
 * write results concurrently.
 */
class SweepLock
{
  public:
    /**
     * \param isShared a shared lock, for processes that collect the points of a cluster
     * \throws OutputError when another process has locked the folder
     */
    explicit SweepLock(const SweepFolder& folder, bool isShared = false);

  private:
    std::filesystem::path m_file;
    FileLock m_lock;
};

} // namespace ns3::rails

#endif // SWEEP_LOCK_H
