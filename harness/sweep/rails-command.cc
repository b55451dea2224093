// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command.h"

#include "rails-child-process.h"

#include "ns3/rails-shell-word.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ns3::rails
{

namespace
{

void
ThrowIf(int error, const std::string& what)
{
    if (error != 0)
    {
        throw std::system_error(error, std::generic_category(), what);
    }
}

/// How a process is to be started: where it writes, without signals held back, in a group of its
/// own.
class SpawnPlan
{
  public:
    SpawnPlan(const ProcessOutput& output, const ProcessOutput& errors)
    {
        ThrowIf(posix_spawn_file_actions_init(&m_actions), "no memory");
        ThrowIf(posix_spawnattr_init(&m_attributes), "no memory");
        posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_actions, output.GetFile(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_actions, errors.GetFile(), STDERR_FILENO);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&m_attributes, &signals);
        posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    }

    ~SpawnPlan()
    {
        posix_spawnattr_destroy(&m_attributes);
        posix_spawn_file_actions_destroy(&m_actions);
    }

    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    pid_t Start(std::vector<char*> words, std::vector<char*> environment) const
    {
        words.push_back(nullptr);
        environment.push_back(nullptr);
        pid_t process = 0;
        ThrowIf(posix_spawnp(&process,
                             words.front(),
                             &m_actions,
                             &m_attributes,
                             words.data(),
                             environment.data()),
                words.front());
        return process;
    }

  private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

bool
StartsWith(std::string_view text, std::string_view beginning)
{
    return text.substr(0, beginning.size()) == beginning;
}

std::vector<char*>
GetEnvironment(const std::vector<std::string>& hidden)
{
    std::vector<char*> environment;
    for (char** variable = environ; *variable; ++variable)
    {
        if (std::none_of(hidden.begin(), hidden.end(), [&](const std::string& beginning) {
                return StartsWith(*variable, beginning);
            }))
        {
            environment.push_back(*variable);
        }
    }
    return environment;
}

} // namespace

bool
CommandOutcome::IsGood() const
{
    return status == 0 && !isLate;
}

CommandOutcome
RunCommand(const std::vector<std::string>& words,
           std::chrono::milliseconds limit,
           const std::vector<std::string>& hidden)
{
    const ProcessOutput output;
    const ProcessOutput errors;
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    arguments.reserve(copies.size() + 1);
    for (std::string& word : copies)
    {
        arguments.push_back(word.data());
    }
    const std::chrono::duration<double> seconds = limit;
    ChildProcess child(
        SpawnPlan(output, errors).Start(std::move(arguments), GetEnvironment(hidden)),
        seconds.count());
    using namespace std::chrono_literals;
    std::optional<int> status;
    for (std::chrono::microseconds pause = 100us; !(status = child.TakeEnd());
         pause = std::min<std::chrono::microseconds>(2 * pause, 20ms))
    {
        child.KillIfLate();
        std::this_thread::sleep_for(pause);
    }
    return {WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status),
            child.IsLate(),
            output.Read(),
            errors.Read()};
}

std::string
QuoteCommand(const std::vector<std::string>& words)
{
    std::string command;
    for (const std::string& word : words)
    {
        command += (command.empty() ? "" : " ") + QuoteForShell(word);
    }
    return command;
}

} // namespace ns3::rails
