// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command-list.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <sstream>

namespace ns3::rails
{

namespace
{

/// A line for each command, indented by two: its arguments, then, from a fixed column on, its help
/// text. Lines that begin in that column belong to the one before them.
constexpr const char* kText =
#include "rails-command-list.inc"
    ;

constexpr std::size_t kMeaningColumn = 29;

/// Reads the arguments of a command: FILE [DIR]... [--set KEY=VALUE]... --by KEY [-j N]
void
ReadArguments(const std::string& text, ListedCommand& command)
{
    static const std::regex form(R"(\[?(?:(-{1,2}[a-z][a-z-]*)(?: ([^-\[\] .][^\[\] .]*))?)"
                                 R"(|([^\[\] .]+))\]?(\.\.\.)?)");
    for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
    {
        const std::smatch& found = *it;
        command.arguments.push_back(
            {found.str(1), found[3].matched ? found.str(3) : found.str(2), found[4].matched});
    }
    const std::string more = " ...";
    command.isWhole = text.size() < more.size() ||
                      text.compare(text.size() - more.size(), more.size(), more) != 0;
}

std::vector<ListedCommand>
ReadCommands()
{
    std::vector<ListedCommand> commands;
    std::istringstream lines(kText);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.empty())
        {
            continue;
        }
        const bool isNew = line[2] != ' ';
        const std::size_t gap = line.find("  ", 2);
        if (isNew)
        {
            std::istringstream words(line.substr(0, gap));
            ListedCommand command;
            words >> command.name;
            std::string arguments;
            std::getline(words, arguments);
            ReadArguments(arguments, command);
            commands.push_back(command);
        }
        if (!isNew || gap != std::string::npos)
        {
            std::string& meaning = commands.back().meaning;
            meaning += (meaning.empty() ? "" : " ") + line.substr(kMeaningColumn);
        }
    }
    return commands;
}

} // namespace

const std::vector<ListedCommand>&
GetListedCommands()
{
    static const std::vector<ListedCommand> commands = ReadCommands();
    return commands;
}

std::string
DescribeListedCommand(const std::string& name)
{
    const std::vector<ListedCommand>& commands = GetListedCommands();
    std::string meaning =
        std::find_if(commands.begin(), commands.end(), [&](const ListedCommand& command) {
            return command.name == name;
        })->meaning;
    meaning[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(meaning[0])));
    return meaning.substr(0, meaning.find(';'));
}

} // namespace ns3::rails
