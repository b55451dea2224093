// SPDX-License-Identifier: GPL-2.0-only
#ifndef PARTIAL_PATH_H
#define PARTIAL_PATH_H

#include "writer-identity.h"

#include <filesystem>
#include <vector>

namespace ns3::rails
{

/// A hidden file or folder beside a target path, from a process that writes this target.
struct PartialPath
{
    std::filesystem::path path;
    WriterIdentity writer;
    bool isFormer; //!< has the former content of the target, see MakeFormerPath()
};

/**
 * \param place a file or folder that is to appear in one step
 * \return where this process writes it first: an unused hidden name that cannot be guessed. The
 * caller must create it without following a link.
 */
std::filesystem::path MakePartialPath(const std::filesystem::path& place);

/// \return where the former content of a target is kept while a partial path replaces it, on a file
/// system without atomic exchange
std::filesystem::path MakeFormerPath(const std::filesystem::path& partial);

/// \return the partial paths of all processes, living or dead, for a target
std::vector<PartialPath> FindPartialPaths(const std::filesystem::path& place);

/// Removes partial files of dead processes for a target file.
void RemoveDeadPartials(const std::filesystem::path& place);

/// \return the process in a hidden name of any target; nothing for other names
std::optional<WriterIdentity> FindWriter(const std::filesystem::path& hidden);

/// \return true when a folder contains a path from MakeFormerPath()
bool HasFormerPaths(const std::filesystem::path& folder);

} // namespace ns3::rails

#endif // PARTIAL_PATH_H
