// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCHEDULED_FAILURE_H
#define SCHEDULED_FAILURE_H

#include "ns3/data-rate.h"
#include "ns3/failure-schedule.h"
#include "ns3/key-rule.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A failure, recovery or change of rate at a given time, or a repeated failure: an entry of
 * `failures.schedule`.
 */
class ScheduledFailure : public Object, public KeyRules
{
  public:
    static TypeId GetTypeId();

    /// State of a link, switch, NIC, GPU or server from then on.
    enum State
    {
        STATE_DOWN,
        STATE_UP
    };

    std::vector<KeyRule> GetKeyRules() const override;
    void CheckValues() const override;

    /// \return the attributes as plain data
    FailureEntry Get() const;

  private:
    std::optional<Time> m_from;
    std::optional<Time> m_every;
    std::optional<Time> m_downFor;
    std::optional<uint64_t> m_times;
    std::optional<Time> m_at;
    std::optional<NameList> m_link;
    std::optional<std::string> m_switch;
    std::optional<std::string> m_nic;
    std::optional<uint32_t> m_gpu;
    std::optional<uint32_t> m_server;
    std::optional<uint32_t> m_cable;
    std::optional<State> m_state;
    std::optional<DataRate> m_rate;
};

} // namespace ns3::rails

#endif // SCHEDULED_FAILURE_H
