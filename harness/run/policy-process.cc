// SPDX-License-Identifier: GPL-2.0-only
#include "policy-process.h"

#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

ordered_json
Describe(const ExternalPolicySetting& told)
{
    const ExpertSetting& setting = told.setting;
    const ClusterView& cluster = setting.cluster;
    ordered_json homes = ordered_json::array();
    for (const std::vector<uint32_t>& hosts : told.inOrder.hosts)
    {
        homes.push_back(hosts.front());
    }
    return {{"kind", "placement"},
            {"name", told.name},
            {"gpus", cluster.gpus},
            {"servers", cluster.GetServerCount()},
            {"gpus_per_server", cluster.gpusPerServer},
            {"nics_per_server", cluster.nicsPerServer},
            {"layers", setting.layers},
            {"experts", setting.experts},
            {"expert_groups", setting.expertGroups},
            {"top_k", setting.topK},
            {"tokens_per_gpu", setting.tokens},
            {"microbatches", setting.microbatches},
            {"slots", told.slots},
            {"homes", homes},
            {"token_bytes", setting.tokenBytes},
            {"weight_bytes", setting.weightBytes},
            {"gradient_bytes", setting.gradientBytes},
            {"state_bytes", setting.stateBytes},
            {"nvlink_rate_Bps", cluster.nvlinkRate},
            {"nic_rate_Bps", cluster.nicRate},
            {"gpu_flops", cluster.flops}};
}

/// \return the beginning of a line, for a message
std::string
Quote(const std::string& line)
{
    constexpr std::size_t most = 100;
    const std::string begin = line.size() > most ? line.substr(0, most) + "..." : line;
    return json(begin).dump(-1, ' ', true, json::error_handler_t::replace);
}

/// \return lists of numbers by expert; nothing when they are none
std::optional<std::vector<std::vector<uint32_t>>>
ReadLists(const json& lists)
{
    if (!lists.is_array())
    {
        return std::nullopt;
    }
    std::vector<std::vector<uint32_t>> read;
    for (const json& list : lists)
    {
        const bool isRight =
            list.is_array() && std::all_of(list.begin(), list.end(), [](const json& number) {
                return number.is_number_unsigned() &&
                       number.get<uint64_t>() <= std::numeric_limits<uint32_t>::max();
            });
        if (!isRight)
        {
            return std::nullopt;
        }
        read.push_back(list.get<std::vector<uint32_t>>());
    }
    return read;
}

/// \return the external policies of an experiment, which owns them
std::vector<ExternalExpertPolicy*>
FindPolicies(const Experiment& experiment)
{
    std::vector<ExternalExpertPolicy*> policies;
    for (const Object* component : FindComponents(experiment))
    {
        if (const auto* policy = dynamic_cast<const ExternalExpertPolicy*>(component))
        {
            policies.push_back(const_cast<ExternalExpertPolicy*>(policy));
        }
    }
    return policies;
}

} // namespace

PolicyProcess::PolicyProcess(const std::vector<std::string>& words,
                             const ExternalPolicySetting& setting,
                             std::chrono::milliseconds limit)
    : m_name(setting.name),
      m_limit(limit)
{
    Start(words);
    try
    {
        m_place = "its setting";
        Ask(Describe(setting));
    }
    catch (const ConfigurationError&)
    {
        End();
        throw;
    }
}

PolicyProcess::~PolicyProcess()
{
    End();
}

std::optional<ExpertPlacement>
PolicyProcess::Place(uint32_t layer,
                     const std::vector<std::vector<uint64_t>>& loads,
                     const ExpertPlacement& now)
{
    m_place = "layer " + std::to_string(layer);
    const json answer = Ask({{"layer", layer}, {"loads", loads}, {"placement", now.hosts}});
    for (const auto& [key, value] : answer.items())
    {
        if (key != "placement" && key != "shares")
        {
            Fail("its answer has the unknown key " + Quote(key) +
                 "; expected 'placement' and 'shares'");
        }
    }
    if (answer.value("placement", json()).is_null())
    {
        if (answer.contains("shares"))
        {
            Fail("its answer has 'shares' without a 'placement'");
        }
        return std::nullopt;
    }
    ExpertPlacement placement;
    const auto read = [&](const std::string& key, const std::string& meaning) {
        const auto lists = ReadLists(answer[key]);
        if (!lists)
        {
            Fail("'" + key + "' has a list of " + meaning +
                 " for each expert, such as [[0],[1,2]]");
        }
        return *lists;
    };
    placement.hosts = read("placement", "GPUs");
    if (answer.contains("shares") && !answer["shares"].is_null())
    {
        placement.shares = read("shares", "whole numbers");
    }
    return placement;
}

void
PolicyProcess::Start(const std::vector<std::string>& words)
{
    // A pair of sockets: a program that has ended is an error of writing, not a signal.
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    {
        Fail(std::string("it cannot be started: ") + std::strerror(errno));
    }
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies)
    {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    // It stays in the group of the run, and so ends with a point that is killed.
    const int error = posix_spawnp(&m_process,
                                   arguments.front(),
                                   &actions,
                                   &attributes,
                                   arguments.data(),
                                   environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    m_socket = ends[0];
    if (error != 0)
    {
        m_process = -1;
        End();
        Fail("it cannot be started: " + Quote(words.front()) + ": " + std::strerror(error));
    }
}

/// \return the answer, which is an object
json
PolicyProcess::Ask(const ordered_json& question)
{
    const Clock::time_point end = Clock::now() + m_limit;
    Send(question.dump() + "\n", end);
    const std::string line = Receive(end);
    json answer = json::parse(line, nullptr, false);
    if (!answer.is_object())
    {
        Fail(
            (answer.is_discarded() ? "its answer is no JSON: " : "its answer is no JSON object: ") +
            Quote(line));
    }
    return answer;
}

void
PolicyProcess::Send(const std::string& line, Clock::time_point end)
{
    for (std::size_t sent = 0; sent < line.size();)
    {
        WaitFor(POLLOUT, end);
        const ssize_t some =
            send(m_socket, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (some > 0)
        {
            sent += static_cast<std::size_t>(some);
        }
        else if (errno != EAGAIN && errno != EINTR)
        {
            Fail(DescribeEnd());
        }
    }
}

std::string
PolicyProcess::Receive(Clock::time_point end)
{
    std::size_t looked = 0;
    for (;;)
    {
        const std::size_t newline = m_received.find('\n', looked);
        if (newline != std::string::npos)
        {
            const std::string line = m_received.substr(0, newline);
            m_received.erase(0, newline + 1);
            ++m_lines;
            return line;
        }
        looked = m_received.size();
        if (looked > kLongestLine)
        {
            Fail("its answer has more than " + std::to_string(kLongestLine) + " bytes");
        }
        WaitFor(POLLIN, end);
        std::array<char, 1 << 16> buffer{};
        const ssize_t some = recv(m_socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (some > 0)
        {
            m_received.append(buffer.data(), static_cast<std::size_t>(some));
        }
        else if (some == 0 || (errno != EAGAIN && errno != EINTR))
        {
            Fail(DescribeEnd());
        }
    }
}

void
PolicyProcess::WaitFor(short events, Clock::time_point end)
{
    for (;;)
    {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd file{m_socket, events, 0};
        const int ready = poll(&file, 1, static_cast<int>(std::max<int64_t>(0, left)));
        if (ready > 0)
        {
            return;
        }
        if (ready == 0 || errno != EINTR)
        {
            const double seconds = std::chrono::duration<double>(m_limit).count();
            Fail("it has not answered in " + json(seconds).dump() + " s");
        }
    }
}

/// Ends the program: it has some time to end by itself once there are no more lines.
void
PolicyProcess::End()
{
    if (m_socket >= 0)
    {
        close(m_socket);
        m_socket = -1;
    }
    using namespace std::chrono_literals;
    const Clock::time_point end = Clock::now() + 500ms;
    for (auto pause = 1ms; m_process > 0;
         pause = std::min<std::chrono::milliseconds>(2 * pause, 20ms))
    {
        const pid_t waited = waitpid(m_process, nullptr, WNOHANG);
        if (waited == m_process || (waited < 0 && errno != EINTR))
        {
            m_process = -1;
            return;
        }
        if (Clock::now() >= end)
        {
            kill(m_process, SIGKILL);
        }
        std::this_thread::sleep_for(pause);
    }
}

/// \return how it has ended, which is waited for
std::string
PolicyProcess::DescribeEnd()
{
    std::string how;
    int status = 0;
    using namespace std::chrono_literals;
    for (int i = 0; i < 100 && m_process > 0; ++i) // it closed its streams a moment before
    {
        if (waitpid(m_process, &status, WNOHANG) == m_process)
        {
            m_process = -1;
            how = WIFSIGNALED(status)
                      ? std::string(" by a signal (") + strsignal(WTERMSIG(status)) + ")"
                      : " with status " + std::to_string(WEXITSTATUS(status));
            break;
        }
        std::this_thread::sleep_for(5ms);
    }
    return (m_process > 0 ? "it has closed its standard output" : "it has ended" + how) +
           std::string(" in place of an answer") +
           (m_received.empty() ? ""
                               : "; it wrote " + Quote(m_received) + " without an end of line");
}

void
PolicyProcess::Fail(const std::string& fault) const
{
    const uint64_t line = m_lines;
    throw ConfigurationError(
        "",
        DescribeExternalFault(
            m_name,
            m_place.empty() ? "" : m_place + (line > 0 ? ", line " + std::to_string(line) : ""),
            fault));
}

void
GivePolicyCommands(const Experiment& experiment, const PolicyCommands& commands)
{
    for (ExternalExpertPolicy* policy : FindPolicies(experiment))
    {
        const auto command = commands.find(policy->GetName());
        if (command != commands.end())
        {
            policy->SetMaker([words = command->second](const ExternalPolicySetting& setting) {
                return std::make_unique<PolicyProcess>(words, setting);
            });
        }
    }
}

void
AddPolicyPrograms(const Experiment& experiment,
                  const PolicyCommands& commands,
                  VersionInfo& version)
{
    for (const ExternalExpertPolicy* policy : FindPolicies(experiment))
    {
        const auto command = commands.find(policy->GetName());
        if (command == commands.end())
        {
            throw PolicyCommandError(DescribeMissingProgram(policy->GetName()));
        }
        version.libraries["policy " + policy->GetName()] = HashPolicyCommand(command->second);
    }
}

} // namespace ns3::rails
