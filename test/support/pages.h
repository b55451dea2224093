// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAGES_H
#define PAGES_H

#include <string>
#include <vector>

namespace ns3::rails::test
{

/// \return sorted paths, relative to the repository, of the pages at its top and below doc/
std::vector<std::string> ListPages();

/// \param path of a page or another file, absolute or relative to the repository
/// \return its text
std::string ReadPage(const std::string& path);

} // namespace ns3::rails::test

#endif // PAGES_H
