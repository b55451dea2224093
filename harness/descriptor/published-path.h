// SPDX-License-Identifier: GPL-2.0-only
#ifndef PUBLISHED_PATH_H
#define PUBLISHED_PATH_H

#include <filesystem>
#include <string>

namespace ns3::rails
{

/**
 * \param path a file
 * \param folder with a file that names the path, and that may be shared
 * \return the path relative to the folder; from the user's home (~) for a file in the home and a
 * folder outside of it. So it does not name the user.
 */
std::string PublishPath(const std::filesystem::path& path, const std::filesystem::path& folder);

/// \return the absolute path from a result of PublishPath()
std::string ResolvePath(const std::filesystem::path& path, const std::filesystem::path& folder);

/**
 * \param text for people, such as a command or a message
 * \param folder see PublishPath()
 * \return the text with PublishPath() applied to each absolute path that exists
 */
std::string PublishText(const std::string& text, const std::filesystem::path& folder);

} // namespace ns3::rails

#endif // PUBLISHED_PATH_H
