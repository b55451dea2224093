// SPDX-License-Identifier: GPL-2.0-only
#include "component-name.h"

#include <cctype>
#include <cstddef>

namespace ns3::rails
{

namespace
{

bool
IsUpper(char letter)
{
    return std::isupper(static_cast<unsigned char>(letter)) != 0;
}

/// \return `gpus_per_domain` for `GpusPerDomain`; a run of capitals is one word
std::string
SplitWords(const std::string& name, char separator)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i)
    {
        const bool begins =
            i > 0 && IsUpper(name[i]) &&
            (!IsUpper(name[i - 1]) || (i + 1 < name.size() && std::islower(name[i + 1]) != 0));
        if (begins)
        {
            text += separator;
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return text;
}

std::string
GetClassName(const std::string& typeIdName)
{
    const std::size_t colon = typeIdName.rfind(':');
    return colon == std::string::npos ? typeIdName : typeIdName.substr(colon + 1);
}

} // namespace

std::string
MakeKeyName(const std::string& attributeName)
{
    return SplitWords(attributeName, '_');
}

std::string
MakeTypeName(const std::string& typeIdName, const std::string& baseName)
{
    std::string name = GetClassName(typeIdName);
    const std::string base = GetClassName(baseName);
    if (name.size() > base.size() &&
        name.compare(name.size() - base.size(), base.size(), base) == 0)
    {
        name.resize(name.size() - base.size());
    }
    return SplitWords(name, '-');
}

} // namespace ns3::rails
