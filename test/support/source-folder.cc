// SPDX-License-Identifier: GPL-2.0-only

// The only file with a compiled-in path, so that ccache can reuse all other objects in any clone.

#include "source-folder.h"

namespace ns3::rails::test
{

std::string
GetSourceFolder()
{
    return RAILS_SOURCE_DIR;
}

} // namespace ns3::rails::test
