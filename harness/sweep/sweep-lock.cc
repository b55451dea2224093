// SPDX-License-Identifier: GPL-2.0-only
#include "sweep-lock.h"

#include "ns3/output-file.h"
#include "ns3/writer-identity.h"

#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return the identity of a process in its lock file
std::string
ReadOwner(const fs::path& file)
{
    std::ifstream stream(file);
    std::string owner;
    std::getline(stream, owner);
    return owner;
}

bool
IsOwner(const fs::path& file)
{
    const std::string owner = ReadOwner(file);
    const std::string earlier = "process "; // format of earlier versions
    return owner.compare(0, earlier.size(), earlier) == 0 || WriterIdentity::Parse(owner);
}

/// \return the lock file, which may not be another file
fs::path
FindFile(const SweepFolder& folder)
{
    const fs::path file = folder.GetStateFolder() / "lock";
    CheckReplaceable(file, IsOwner, "it is no lock of a sweep, and not replaced; remove it");
    return file;
}

void
WriteOwner(const fs::path& file)
{
    const std::string owner = WriterIdentity::OfThisProcess().ToText() + "\n";
    const int opened = open(file.c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
    if (opened >= 0)
    {
        // The owner in the file is only for messages; the lock works without it.
        [[maybe_unused]] const ssize_t written = write(opened, owner.data(), owner.size());
        close(opened);
    }
}

} // namespace

SweepLock::SweepLock(const SweepFolder& folder, bool isShared)
    : m_file(FindFile(folder)),
      m_lock(m_file, O_CREAT, isShared)
{
    if (!m_lock.IsFree())
    {
        const std::optional<WriterIdentity> owner = WriterIdentity::Parse(ReadOwner(m_file));
        throw OutputError(folder.GetPath(),
                          "another sweep is at work in this folder (" +
                              (owner ? owner->Describe() : "an unknown process") +
                              "); wait until it has ended, or choose another folder with --out");
    }
    WriteOwner(m_file);
}

} // namespace ns3::rails
