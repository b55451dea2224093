// SPDX-License-Identifier: GPL-2.0-only
#ifndef SOURCE_FOLDER_H
#define SOURCE_FOLDER_H

#include <string>

namespace ns3::rails::test
{

/// \return this repository's folder, for tests of files that are not compiled, such as doc/
std::string GetSourceFolder();

} // namespace ns3::rails::test

#endif // SOURCE_FOLDER_H
