// SPDX-License-Identifier: GPL-2.0-only

// The only file that is compiled with a path, so that ccache serves all others in any clone.

#include "source-folder.h"

namespace ns3::rails::test
{

std::string
GetSourceFolder()
{
    return RAILS_SOURCE_DIR;
}

} // namespace ns3::rails::test
