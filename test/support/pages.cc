// SPDX-License-Identifier: GPL-2.0-only
#include "pages.h"

#include "source-folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ns3::rails::test
{

std::vector<std::string>
ListPages()
{
    namespace fs = std::filesystem;
    const fs::path root = GetSourceFolder();
    std::vector<std::string> pages{"CONTRIBUTING.md", "FEATURES.md", "README.md", "SECURITY.md"};
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "doc"))
    {
        if (entry.path().extension() == ".rst")
        {
            pages.push_back(fs::relative(entry.path(), root).generic_string());
        }
    }
    std::sort(pages.begin(), pages.end());
    return pages;
}

std::string
ReadPage(const std::string& path)
{
    std::ifstream file(std::filesystem::path(GetSourceFolder()) / path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace ns3::rails::test
