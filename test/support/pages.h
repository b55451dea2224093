// SPDX-License-Identifier: GPL-2.0-only
#ifndef PAGES_H
#define PAGES_H

#include <string>
#include <vector>

namespace ns3::rails::test
{

/// \return the pages at the top of the repository and all below doc/, as paths from there, in order
std::vector<std::string> ListPages();

/// \param path of a page or another file, from this repository's folder or whole
/// \return what stands in it
std::string ReadPage(const std::string& path);

} // namespace ns3::rails::test

#endif // PAGES_H
