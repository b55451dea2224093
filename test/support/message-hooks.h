// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_HOOKS_H
#define MESSAGE_HOOKS_H

#include "ns3/message-service.h"

#include <cstdint>
#include <functional>

namespace ns3::rails::test
{

/// A client of servers that calls the functions that a test has set.
struct MessageHooks : public MessageClient
{
    void OnDelivered(Message& message) override
    {
        delivered ? delivered(message) : void();
    }

    void OnAcknowledged(Message& message) override
    {
        acknowledged ? acknowledged(message) : void();
    }

    void OnSent(Message& message) override
    {
        sent ? sent(message) : void();
    }

    void OnAlarm(uint32_t server) override
    {
        alarm ? alarm(server) : void();
    }

    std::function<void(Message&)> delivered{};
    std::function<void(Message&)> acknowledged{};
    std::function<void(Message&)> sent{};
    std::function<void(uint32_t)> alarm{};
};

} // namespace ns3::rails::test

#endif // MESSAGE_HOOKS_H
