// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWEEP_LOCK_H
#define SWEEP_LOCK_H

#include "ns3/rails-sweep-folder.h"

namespace ns3::rails
{

/**
 * Keeps the folder of a sweep to one process that runs points: two would rename folders and write
 * results under each other's hands. The system lets go of it however the process ends. A file
 * system without locks keeps nobody out.
 */
class SweepLock
{
  public:
    /**
     * \param isShared others may have it too, such as several that collect what a cluster runs
     * \throws OutputError when another process has the folder
     */
    explicit SweepLock(const SweepFolder& folder, bool isShared = false);
    ~SweepLock();

    SweepLock(const SweepLock&) = delete;
    SweepLock& operator=(const SweepLock&) = delete;

  private:
    int m_file; //!< descriptor; negative where there are no locks
};

} // namespace ns3::rails

#endif // SWEEP_LOCK_H
