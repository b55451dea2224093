// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/automatic-switch.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::rails
{

TEST(AutomaticSwitch, IsWhatItsUserSaysUnlessItIsSet)
{
    EXPECT_TRUE(AutomaticSwitch().Get(true));
    EXPECT_FALSE(AutomaticSwitch().Get(false));
    EXPECT_TRUE(AutomaticSwitch(true).Get(false));
    EXPECT_FALSE(AutomaticSwitch(false).Get(true));
}

TEST(AutomaticSwitch, IsReadAsItIsWritten)
{
    for (const AutomaticSwitch value :
         {AutomaticSwitch(), AutomaticSwitch(true), AutomaticSwitch(false)})
    {
        std::stringstream text;
        AutomaticSwitch read(!value.Get(false));
        text << value;
        EXPECT_TRUE(text >> read) << text.str();
        EXPECT_EQ(read, value) << text.str();
    }
    AutomaticSwitch read;
    std::istringstream other("maybe");
    EXPECT_FALSE(other >> read);
}

} // namespace ns3::rails
