// SPDX-License-Identifier: GPL-2.0-only
//
// A separate program: SimGrid simulates messages between NICs over one switch, to compare its speed
// with the flow-level engine (./rails bench large). Reads a line "source destination bytes" per
// message from standard input; prints the end of the last message in seconds.

#include "../test/flow/simgrid-model.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg = simgrid::s4u;

namespace
{

struct Message
{
    uint32_t source;
    uint32_t destination;
    double bytes;
};

/// A NIC with one link to send and one link to receive.
struct Nic
{
    sg::Host* host;
    sg::Link* up;
    sg::Link* down;
};

std::vector<Message>
ReadMessages()
{
    std::vector<Message> messages;
    for (Message message{}; std::cin >> message.source >> message.destination >> message.bytes;)
    {
        messages.push_back(message);
    }
    return messages;
}

std::map<uint32_t, Nic>
MakeNics(sg::NetZone* zone, const std::vector<Message>& messages, double rate)
{
    std::map<uint32_t, Nic> nics;
    for (const Message& message : messages)
    {
        for (const uint32_t number : {message.source, message.destination})
        {
            const std::string name = std::to_string(number);
            if (nics.count(number) == 0)
            {
                nics[number] = {zone->create_host("gpu-" + name, 1e9)->seal(),
                                zone->create_link("up-" + name, rate)->set_latency(0)->seal(),
                                zone->create_link("down-" + name, rate)->set_latency(0)->seal()};
            }
        }
    }
    return nics;
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 2 || std::atof(argv[1]) <= 0)
    {
        std::fprintf(stderr, "usage: rails-simgrid-all-to-all BYTES_PER_SECOND <MESSAGES\n");
        return 2;
    }
    const std::vector<Message> messages = ReadMessages();
    char program[] = "simgrid-all-to-all";
    char quiet[] = "--log=xbt_cfg.threshold:warning"; // or it repeats the settings
    char* arguments[] = {program, quiet, nullptr};
    int count = 2;
    sg::Engine engine(&count, arguments);
    ns3::rails::test::SetPlainModel();
    sg::NetZone* zone = sg::create_full_zone("network");
    const std::map<uint32_t, Nic> nics = MakeNics(zone, messages, std::atof(argv[1]));
    for (const Message& message : messages)
    {
        const Nic& source = nics.at(message.source);
        const Nic& destination = nics.at(message.destination);
        zone->add_route(source.host->get_netpoint(),
                        destination.host->get_netpoint(),
                        nullptr,
                        nullptr,
                        {sg::LinkInRoute(source.up), sg::LinkInRoute(destination.down)},
                        false);
    }
    zone->seal();
    sg::Actor::create("all", nics.begin()->second.host, [&] {
        std::vector<sg::CommPtr> comms;
        for (const Message& message : messages)
        {
            comms.push_back(sg::Comm::sendto_async(nics.at(message.source).host,
                                                   nics.at(message.destination).host,
                                                   static_cast<uint64_t>(message.bytes)));
        }
        sg::Comm::wait_all(comms);
    });
    engine.run();
    std::printf("%.12f\n", sg::Engine::get_clock());
    return 0;
}
