// SPDX-License-Identifier: GPL-2.0-only
#include "source-folder.h"

namespace ns3::rails::test
{

std::string
GetSourceFolder()
{
    return RAILS_SOURCE_DIR; // known to this file alone, so that ccache serves the others in any clone
}

} // namespace ns3::rails::test
