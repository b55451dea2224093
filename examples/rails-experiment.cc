// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

int
main()
{
    std::cout << "not written yet\n";
}
