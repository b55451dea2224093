// SPDX-License-Identifier: GPL-2.0-only
#include "rails-shell-completion.h"

#include "rails-command-list.h"
#include "rails-experts-descriptor.h"

#include "ns3/component-path.h"
#include "ns3/component-registry.h"
#include "ns3/rails-fabric-prices.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// An argument of a command, and its possible values.
struct ArgumentKind
{
    std::string name; //!< an option, "1" for the first other word, "*" for each of them
    std::string kind; //!< as in the script: keys (with values), paths (keys alone), names, yaml,
                      //!< files, dirs, words WORD..., yaml WORD...; or empty
};

/// A command and its arguments.
struct Command
{
    std::string name;
    std::vector<ArgumentKind> arguments;
};

std::string
JoinWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

std::string
JoinRates(const std::vector<uint64_t>& rates)
{
    std::vector<std::string> words;
    std::transform(rates.begin(), rates.end(), std::back_inserter(words), FormatRate);
    return JoinWords(words);
}

/**
 * \param what how the help calls an argument: "FILE", "DIR", "TEXT:{bash,zsh}"
 * \param positional true when it is no option
 * \return its kind in the script
 */
std::string
GetKind(const std::string& what, bool positional)
{
    std::smatch words;
    if (std::regex_search(what, words, std::regex(R"(\{([^}]*)\})")))
    {
        return "words " + std::regex_replace(words.str(1), std::regex(","), " ");
    }
    static const std::map<std::string, std::string> kinds{
        {"KEY=VALUE", "keys"},
        {"KEY", "paths"},
        {"DIR", "dirs"},
    };
    const auto kind = kinds.find(what);
    if (kind != kinds.end())
    {
        return kind->second;
    }
    static const std::map<std::string, std::string> bases{
        {"POLICY", "ns3::rails::ExpertPolicy"},
        {"MODEL", "ns3::rails::MoeModel"},
    };
    const auto base = bases.find(what);
    if (base != bases.end())
    {
        return "words " + JoinWords(GetComponentTypeNames(TypeId::LookupByName(base->second)));
    }
    if (what == "SPEC")
    {
        return "words " + JoinWords(ListStudyLoads());
    }
    if (what == "RATE" || what == "NAME|FILE")
    {
        const FabricPrices prices(FabricPrices::GetShippedText(), "prices");
        return what == "RATE" ? "words " + JoinRates(prices.ListRates())
                              : "yaml " + JoinWords(prices.ListFabrics());
    }
    if (what == "NAME" && positional)
    {
        return "names";
    }
    if (what == "FILE")
    {
        return positional ? "yaml" : "files";
    }
    for (const Section& section : GetSections())
    {
        std::string name = section.name;
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
            return static_cast<char>(std::toupper(letter));
        });
        if (what == name)
        {
            return "words " + JoinWords(GetComponentTypeNames(GetSectionBase(section)));
        }
    }
    return "words"; // something that cannot be proposed
}

/// \return a command of the program as its help describes it
Command
DescribeCommand(const CLI::App& app)
{
    Command command{app.get_name(), {}};
    std::size_t number = 0;
    for (const CLI::Option* option : app.get_options())
    {
        const std::string type = option->get_type_name();
        if (option->get_positional())
        {
            const std::string what = type == "TEXT" ? option->get_name(true) : type;
            const bool several = option->get_expected_max() > 1;
            command.arguments.push_back(
                {several ? "*" : std::to_string(++number), GetKind(what, true)});
            continue;
        }
        const std::string kind =
            option->get_expected_max() == 0 ? "" : GetKind(type, false); // a flag has no value
        for (const std::string& name : option->get_lnames())
        {
            command.arguments.push_back({"--" + name, kind});
        }
        for (const std::string& name : option->get_snames())
        {
            command.arguments.push_back({"-" + name, kind});
        }
    }
    return command;
}

/// Adds the arguments of a command that the launcher does itself, which may stand in several lines.
void
AddArguments(const ListedCommand& listed, Command& command)
{
    std::size_t number = 0;
    for (const ListedCommand::Argument& argument : listed.arguments)
    {
        const bool positional = argument.option.empty();
        const std::string name = !positional           ? argument.option
                                 : argument.isRepeated ? "*"
                                                       : std::to_string(++number);
        const bool isWord = !argument.value.empty() &&
                            std::islower(static_cast<unsigned char>(argument.value[0])) != 0;
        // The list writes words to choose from as pdf|svg|png.
        const std::string words = std::regex_replace(argument.value, std::regex("\\|"), " ");
        const std::string kind = argument.value.empty() ? ""
                                 : isWord               ? "words " + words
                                                        : GetKind(argument.value, positional);
        const auto known =
            std::find_if(command.arguments.begin(),
                         command.arguments.end(),
                         [&](const ArgumentKind& other) { return other.name == name; });
        if (known == command.arguments.end())
        {
            command.arguments.push_back({name, kind});
        }
        else if (isWord)
        {
            known->kind += " " + words;
        }
    }
}

std::vector<Command>
ListCommands(const CLI::App& app)
{
    std::vector<Command> commands;
    const auto isShown = [](const CLI::App* command) { return !command->get_group().empty(); };
    for (const CLI::App* command : app.get_subcommands(isShown))
    {
        commands.push_back(DescribeCommand(*command));
    }
    const std::vector<Command> own = commands; // of the program, which knows them better
    for (const ListedCommand& listed : GetListedCommands())
    {
        const auto hasName = [&](const Command& command) { return command.name == listed.name; };
        if (std::none_of(own.begin(), own.end(), hasName))
        {
            const auto known = std::find_if(commands.begin(), commands.end(), hasName);
            AddArguments(listed,
                         known != commands.end() ? *known
                                                 : commands.emplace_back(Command{listed.name, {}}));
        }
    }
    return commands;
}

/// \return everything that `describe` knows by a path or the name of a type
std::set<std::string>
ListNames()
{
    std::set<std::string> names;
    for (const PlainKey& key : GetPlainKeys())
    {
        names.insert(key.path);
    }
    for (const ComponentPath& slot : FindComponentPaths())
    {
        names.insert(slot.path);
        if (HasComponentTypes(slot.base))
        {
            const std::vector<std::string> types = GetComponentTypeNames(slot.base);
            names.insert(types.begin(), types.end());
        }
    }
    for (const DottedKey& key : ListDottedKeys())
    {
        names.merge(key.GetPaths());
    }
    return names;
}

/// \return the keys that can be set, with the words that are their values, if they are words
std::map<std::string, std::set<std::string>>
ListValues()
{
    std::map<std::string, std::set<std::string>> values{{"name", {}}, {"seed", {}}};
    for (const ComponentPath& slot : FindComponentPaths())
    {
        if (HasComponentTypes(slot.base))
        {
            const std::vector<std::string> types = GetComponentTypeNames(slot.base);
            values[slot.path].insert(types.begin(), types.end());
            values[slot.path + ".type"].insert(types.begin(), types.end());
        }
    }
    for (const DottedKey& key : ListDottedKeys())
    {
        for (const DottedKey::Owner& owner : key.owners)
        {
            const ComponentKey& inner = owner.key;
            if (inner.Is(ValueKind::Shape::Component) &&
                !HasComponentTypes(GetInnerBase(inner.attribute)))
            {
                continue; // only its keys can be set
            }
            const std::vector<std::string> words = inner.kind->GetWords(inner.attribute);
            for (const std::string& path : key.GetPaths())
            {
                values[path].insert(words.begin(), words.end());
            }
        }
    }
    return values;
}

/// Writes a function that prints a text for each of some patterns.
void
WriteLookUp(std::ostream& os,
            const std::string& function,
            const std::string& subject,
            const std::vector<std::pair<std::string, std::string>>& cases)
{
    os << function << "() {\n    case " << subject << " in\n";
    for (const auto& [pattern, text] : cases)
    {
        os << "    '" << pattern << "') printf '%s\\n' '" << text << "' ;;\n";
    }
    os << "    esac\n}\n\n";
}

/// Writes what the program knows, as functions of the script.
void
WriteTables(std::ostream& os, const std::vector<Command>& commands)
{
    std::vector<std::string> names;
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const Command& command : commands)
    {
        names.push_back(command.name);
        std::vector<std::string> own;
        for (const ArgumentKind& argument : command.arguments)
        {
            const bool option = argument.name[0] == '-';
            if (option)
            {
                own.push_back(argument.name);
            }
            if (!argument.kind.empty())
            {
                kinds.emplace_back(command.name + "/" + argument.name, argument.kind);
            }
        }
        options.emplace_back(command.name, JoinWords(own));
    }
    std::vector<std::string> keys;
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [key, words] : ListValues())
    {
        keys.push_back(key);
        if (!words.empty())
        {
            values.emplace_back(key, JoinWords({words.begin(), words.end()}));
        }
    }
    const std::set<std::string> described = ListNames();
    os << "_rails_commands='" << JoinWords(names) << "'\n\n_rails_names='"
       << JoinWords({described.begin(), described.end()}) << "'\n\n_rails_keys='" << JoinWords(keys)
       << "'\n\n# The options of a command.\n";
    WriteLookUp(os, "_rails_options", "$1", options);
    os << "# What an argument of a command can be.\n";
    WriteLookUp(os, "_rails_kind", "\"$1/$2\"", kinds);
    os << "# The words that are values of a key.\n";
    WriteLookUp(os, "_rails_values", "$1", values);
}

/// The part of the script that both shells understand.
constexpr const char* kCommonPart =
    R"sh(# _rails_complete CURRENT WORD...: prints what the current word can be, after the words before it:
# first its kind (words; open: words that go on; yaml, files, dirs), then the words, a line each.
_rails_complete() {
    local current=$1 command= option= number=1 kind= prefix= word
    shift
    for word in "$@"; do
        if [ -z "$command" ]; then
            command=$word
        elif [ -n "$option" ]; then
            option=
        elif [ "${word#-}" = "$word" ]; then
            number=$((number + 1))
        elif [ -n "$(_rails_kind "$command" "$word")" ]; then
            option=$word
        fi
    done
    if [ -z "$command" ]; then
        kind="words $_rails_commands"
    elif [ -n "$option" ]; then
        kind=$(_rails_kind "$command" "$option")
    else
        case $current in
        --*=*)
            kind=$(_rails_kind "$command" "${current%%=*}")
            prefix=${current%%=*}=
            ;;
        -*) kind="words $(_rails_options "$command")" ;;
        *)
            kind=$(_rails_kind "$command" "$number")
            [ -n "$kind" ] || kind=$(_rails_kind "$command" '*')
            ;;
        esac
    fi
    case $kind in
    names) _rails_print words '' "$current" $_rails_names ;;
    paths) _rails_print words "$prefix" "$current" $_rails_keys ;;
    keys) _rails_complete_key "$prefix" "${current#"$prefix"}" ;;
    words*) _rails_print words "$prefix" "$current" ${kind#words} ;;
    yaml*) _rails_print yaml "$prefix" "$current" ${kind#yaml} ;;
    *) echo "$kind" ;;
    esac
}

# _rails_print KIND PREFIX CURRENT WORD...: prints the words that begin like the current one.
_rails_print() {
    local prefix=$2 current=$3 word
    echo "$1"
    shift 3
    for word in "$@"; do
        case $prefix$word in
        "$current"*) echo "$prefix$word" ;;
        esac
    done
}

# _rails_complete_key PREFIX CURRENT: keys up to their next point, and values behind "=".
_rails_complete_key() {
    local prefix=$1 current=$2 key rest last=
    case $current in
    *=*)
        _rails_print words "$prefix${current%%=*}=" "$prefix$current" $(_rails_values "${current%%=*}")
        return
        ;;
    esac
    echo open
    for key in $_rails_keys; do
        case $key in
        "$current"*)
            rest=${key#"$current"}
            case $rest in
            *.*) key=$current${rest%%.*}. ;;
            *) key=$key= ;;
            esac
            [ "$key" = "$last" ] || echo "$prefix$key"
            last=$key
            ;;
        esac
    done
}

)sh";

constexpr const char* kBashPart = R"sh(_rails() {
    # Bash cuts words at "=", unless COMP_WORDBREAKS was changed.
    local words=() glue= word i
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#words[@]} > 0)) && [[ $glue || $word =~ ^=+$ ]]; then
            words[${#words[@]} - 1]+=$word
            [[ $word =~ ^=+$ ]] && glue=1 || glue=
        else
            words+=("$word")
        fi
    done
    local last=$((${#words[@]} - 1))
    local current=${words[last]} lines=()
    mapfile -t lines < <(_rails_complete "$current" "${words[@]:0:last}")
    local cut= file=$current
    if [[ $current == *=* ]]; then
        [[ $COMP_WORDBREAKS == *=* ]] && cut=${current%=*}=
        file=${current#*=}
    fi
    case ${lines[0]-} in
    words | open)
        COMPREPLY=("${lines[@]:1}")
        COMPREPLY=("${COMPREPLY[@]#"$cut"}")
        [[ ${lines[0]} == open ]] && compopt -o nospace 2>/dev/null
        ;;
    dirs)
        mapfile -t COMPREPLY < <(compgen -d -- "$file")
        compopt -o filenames 2>/dev/null
        ;;
    files)
        mapfile -t COMPREPLY < <(compgen -f -- "$file")
        compopt -o filenames 2>/dev/null
        ;;
    yaml)
        mapfile -t COMPREPLY < <(
            compgen -d -- "$file"
            compgen -f -X '!*.yaml' -- "$file"
            compgen -f -X '!*.yml' -- "$file"
        )
        COMPREPLY+=("${lines[@]:1}")
        compopt -o filenames 2>/dev/null
        ;;
    *) COMPREPLY=() ;;
    esac
    return 0
}

complete -F _rails rails # which covers ./rails too
)sh";

constexpr const char* kZshPart = R"sh(_rails() {
    local -a before lines
    local kind
    before=("${(@)words[2,CURRENT-1]}")
    lines=("${(@f)$(emulate sh; _rails_complete "$PREFIX" "${before[@]}")}")
    kind=$lines[1]
    shift lines
    case $kind in
    words) compadd -- $lines ;;
    open) compadd -S '' -- $lines ;;
    dirs) _files -/ ;;
    files) _files ;;
    yaml)
        ((${#lines} == 0)) || compadd -- $lines
        _files -g '*.(yaml|yml)'
        ;;
    esac
}

if [[ $funcstack[1] == _rails ]]; then
    _rails "$@" # loaded from a folder of fpath
else
    compdef _rails rails # which covers ./rails too
fi
)sh";

} // namespace

std::string
MakeShellCompletion(const CLI::App& app, const std::string& shell)
{
    struct Shell
    {
        const char* begin;
        const char* end;
    };

    static const std::map<std::string, Shell> shells{
        {"bash",
         {"# Completion of ./rails in bash: source <(./rails completion bash)\n\n", kBashPart}},
        {"zsh",
         {"#compdef rails\n# Completion of ./rails in zsh: source <(./rails completion zsh)\n\n",
          kZshPart}},
    };
    const auto found = shells.find(shell);
    if (found == shells.end())
    {
        throw std::invalid_argument("unknown shell '" + shell + "'" +
                                    SuggestName(shell, {"bash", "zsh"}));
    }
    std::ostringstream script;
    script << found->second.begin;
    WriteTables(script, ListCommands(app));
    script << kCommonPart << found->second.end;
    return script.str();
}

} // namespace ns3::rails
