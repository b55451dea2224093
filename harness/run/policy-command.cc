// SPDX-License-Identifier: GPL-2.0-only
#include "policy-command.h"

#include "ns3/rails-sha256.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

namespace ns3::rails
{

std::vector<std::string>
SplitCommand(const std::string& command)
{
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i)
    {
        const char letter = command[i];
        const bool isBlank = letter == ' ' || letter == '\t' || letter == '\n';
        if (quote == 0 && isBlank)
        {
            if (word)
            {
                words.push_back(*std::exchange(word, std::nullopt));
            }
            continue;
        }
        word = word.value_or("");
        // In double quotes a backslash is one but in front of these.
        const bool escapes = letter == '\\' && quote != '\'' && i + 1 < command.size() &&
                             (quote == 0 || command[i + 1] == '"' || command[i + 1] == '\\');
        if (escapes)
        {
            *word += command[++i];
        }
        else if (quote == 0 && (letter == '\'' || letter == '"'))
        {
            quote = letter;
        }
        else if (letter == quote)
        {
            quote = 0;
        }
        else
        {
            *word += letter;
        }
    }
    if (quote != 0)
    {
        throw PolicyCommandError(std::string("a quote stays open: ") + quote);
    }
    if (word)
    {
        words.push_back(*word);
    }
    if (words.empty() || words.front().empty())
    {
        throw PolicyCommandError("there is no program in the command");
    }
    return words;
}

void
AddPolicyCommand(const std::string& text, PolicyCommands& commands)
{
    const std::size_t equal = text.find('=');
    if (equal == 0 || equal == std::string::npos)
    {
        throw PolicyCommandError("expected NAME=COMMAND, such as mine=\"python3 mine.py\"");
    }
    const std::string name = text.substr(0, equal);
    if (!commands.emplace(name, SplitCommand(text.substr(equal + 1))).second)
    {
        throw PolicyCommandError("the policy '" + name + "' has a command already");
    }
}

std::string
HashPolicyCommand(const std::vector<std::string>& words)
{
    nlohmann::json json{{"words", words}, {"files", nlohmann::json::array()}};
    for (const std::string& word : words)
    {
        std::error_code error;
        if (std::filesystem::is_regular_file(word, error))
        {
            std::ifstream stream(word, std::ios::binary);
            json["files"].push_back(ComputeSha256({std::istreambuf_iterator<char>(stream), {}}));
        }
    }
    return ComputeSha256(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace ns3::rails
