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
 * A program that places experts: it answers a line of JSON on standard input by a line of JSON on
 * standard output (doc/own-policy.rst). The constructor starts it without a shell; the destructor
 * ends it.
 */
class PolicyProcess : public ExternalPlanner
{
  public:
    /**
     * \param words the program, found by PATH, and its arguments
     * \param setting content of the first line
     * \param limit timeout of an answer
     * \throws ConfigurationError when the program does not start or answer
     */
    PolicyProcess(const std::vector<std::string>& words,
                  const ExternalPolicySetting& setting,
                  std::chrono::milliseconds limit = std::chrono::seconds(60));
    ~PolicyProcess() override;

    std::optional<ExpertPlacement> Place(uint32_t layer,
                                         const std::vector<std::vector<uint64_t>>& loads,
                                         const ExpertPlacement& now) override;

    uint64_t GetLines() const override
    {
        return m_lines;
    }

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
    std::string m_place; //!< subject of the present question, for messages
    pid_t m_process{-1};
    int m_socket{-1};
    std::string m_received; //!< output that is not yet parsed
    uint64_t m_lines{0};
};

/**
 * Sets the programs of the external policies of an experiment. A program starts at the first
 * question; a policy without a command throws then.
 */
void GivePolicyCommands(const Experiment& experiment, const PolicyCommands& commands);

/**
 * Adds the hashes of external policies' programs to the libraries in the version of a run.
 * \throws PolicyCommandError for a policy without a command
 */
void AddPolicyPrograms(const Experiment& experiment,
                       const PolicyCommands& commands,
                       VersionInfo& version);

} // namespace ns3::rails

#endif // POLICY_PROCESS_H
