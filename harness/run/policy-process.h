// SPDX-License-Identifier: GPL-2.0-only
#ifndef POLICY_PROCESS_H
#define POLICY_PROCESS_H

#include "policy-command.h"

#include "ns3/external-expert-policy.h"
#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::rails
{

/**
 * A program that places experts: a line of JSON to its standard input, a line of JSON back from its
 * standard output (doc/own-policy.rst). It is started without a shell, and ended with this object.
 */
class PolicyProcess : public ExternalPlanner
{
  public:
    /**
     * \param words the program, which is looked for in PATH, and its arguments
     * \param setting what it is told first
     * \param limit how long an answer may take
     * \throws ConfigurationError when it cannot be started, or does not answer
     */
    PolicyProcess(const std::vector<std::string>& words,
                  const ExternalPolicySetting& setting,
                  std::chrono::milliseconds limit = std::chrono::seconds(60));
    ~PolicyProcess() override;

    std::optional<ExpertPlacement> Place(uint32_t layer,
                                         const std::vector<std::vector<uint64_t>>& loads,
                                         const ExpertPlacement& now) override;
    uint64_t GetLines() const override;

  private:
    using Clock = std::chrono::steady_clock;

    void Start(const std::vector<std::string>& words);
    nlohmann::json Ask(const nlohmann::ordered_json& question);
    void Send(const std::string& line, Clock::time_point end);
    std::string Receive(Clock::time_point end);
    void WaitFor(short events, Clock::time_point end);
    void End();
    std::string DescribeEnd();
    [[noreturn]] void Fail(const std::string& fault) const;

    std::string m_name;
    std::chrono::milliseconds m_limit;
    std::string m_place; //!< what it is asked of, for messages
    pid_t m_process{-1};
    int m_socket{-1};
    std::string m_received; //!< and not yet taken
    uint64_t m_lines{0};
};

/**
 * Gives the external policies of an experiment their programs, which start when they are asked.
 * Those without a command say so then.
 */
void GivePolicyCommands(const Experiment& experiment, const PolicyCommands& commands);

/**
 * Adds the programs of the external policies of an experiment to what a run of it is made with,
 * beside the libraries of components.
 * \throws PolicyCommandError when there is no command for one
 */
void AddPolicyPrograms(const Experiment& experiment,
                       const PolicyCommands& commands,
                       VersionInfo& version);

} // namespace ns3::rails

#endif // POLICY_PROCESS_H
