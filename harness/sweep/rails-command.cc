// SPDX-License-Identifier: GPL-2.0-only
#include "rails-command.h"

#include "ns3/rails-shell-word.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/types.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

using Clock = std::chrono::steady_clock;

void
ThrowIf(int error, const std::string& what)
{
    if (error != 0)
    {
        throw std::system_error(error, std::generic_category(), what);
    }
}

/// A descriptor of a file, which is closed at the end.
class FileHandle
{
  public:
    explicit FileHandle(int number = -1)
        : m_number(number)
    {
    }

    ~FileHandle()
    {
        Close();
    }

    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;

    void Close()
    {
        if (m_number >= 0)
        {
            close(m_number);
        }
        m_number = -1;
    }

    void Reset(int number)
    {
        Close();
        m_number = number;
    }

    /// \return -1 when it is closed
    int Get() const
    {
        return m_number;
    }

  private:
    int m_number;
};

/// What a process writes, on its way to a text.
class Pipe
{
  public:
    explicit Pipe(std::string& text)
        : m_text(text)
    {
        std::array<int, 2> ends{};
        ThrowIf(pipe2(ends.data(), O_CLOEXEC) < 0 ? errno : 0, "no pipe");
        m_out.Reset(ends[0]);
        m_in.Reset(ends[1]);
    }

    int GetIn() const
    {
        return m_in.Get();
    }

    int GetOut() const
    {
        return m_out.Get();
    }

    /// From here on only the process holds its end.
    void CloseIn()
    {
        m_in.Close();
    }

    /// Takes what is there; closes the pipe when nobody can write into it any more.
    void Read()
    {
        std::array<char, 4096> piece{};
        const ssize_t size = read(m_out.Get(), piece.data(), piece.size());
        if (size > 0)
        {
            m_text.append(piece.data(), static_cast<std::size_t>(size));
        }
        else if (size == 0 || errno != EINTR)
        {
            m_out.Close();
        }
    }

  private:
    std::string& m_text;
    FileHandle m_in;
    FileHandle m_out;
};

/// How a process is to be started: where it writes, without signals held back, in a group of its
/// own.
class SpawnPlan
{
  public:
    SpawnPlan(const Pipe& output, const Pipe& errors)
    {
        ThrowIf(posix_spawn_file_actions_init(&m_actions), "no memory");
        ThrowIf(posix_spawnattr_init(&m_attributes), "no memory");
        posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_actions, output.GetIn(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_actions, errors.GetIn(), STDERR_FILENO);
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

/// \return true when both pipes were closed in time
bool
ReadUntil(Clock::time_point end, Pipe& output, Pipe& errors)
{
    while (output.GetOut() >= 0 || errors.GetOut() >= 0)
    {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0)
        {
            return false;
        }
        // A negative number is passed over by poll().
        std::array<pollfd, 2> files{pollfd{output.GetOut(), POLLIN, 0},
                                    pollfd{errors.GetOut(), POLLIN, 0}};
        if (poll(files.data(), files.size(), static_cast<int>(left.count())) <= 0)
        {
            continue;
        }
        if (files[0].revents != 0)
        {
            output.Read();
        }
        if (files[1].revents != 0)
        {
            errors.Read();
        }
    }
    return true;
}

/// Waits for a process that may have closed its output long before its end.
/// \return nothing when it did not end in time
bool
WaitUntil(Clock::time_point end, pid_t process, int& status)
{
    using namespace std::chrono_literals;
    for (auto pause = 100us;; pause *= 2)
    {
        const pid_t waited = waitpid(process, &status, WNOHANG);
        ThrowIf(waited < 0 ? errno : 0, "how a program ended is not known");
        if (waited == process)
        {
            return true;
        }
        if (Clock::now() >= end)
        {
            return false;
        }
        pause = std::min<std::chrono::microseconds>(pause, 20ms);
        usleep(static_cast<useconds_t>(pause.count()));
    }
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
    CommandOutcome outcome;
    Pipe output(outcome.output);
    Pipe errors(outcome.errors);
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    arguments.reserve(copies.size() + 1);
    for (std::string& word : copies)
    {
        arguments.push_back(word.data());
    }
    const Clock::time_point end = Clock::now() + limit;
    const pid_t process =
        SpawnPlan(output, errors).Start(std::move(arguments), GetEnvironment(hidden));
    output.CloseIn();
    errors.CloseIn();
    int status = 0;
    if (!ReadUntil(end, output, errors) || !WaitUntil(end, process, status))
    {
        outcome.isLate = true;
        kill(-process, SIGKILL);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        {
        }
    }
    outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return outcome;
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
