// SPDX-License-Identifier: GPL-2.0-only
#ifndef INDEX_FILE_H
#define INDEX_FILE_H

#include <cstdint>
#include <filesystem>

namespace ns3::rails
{

/// SQLite's application_id of an index: "RAIL".
inline constexpr uint32_t kIndexApplication = 0x5241494c;

/**
 * Checks that index.sqlite of a folder may be replaced.
 * \throws OutputError when the file is no index of results
 */
void CheckIndexFile(const std::filesystem::path& folder);

} // namespace ns3::rails

#endif // INDEX_FILE_H
