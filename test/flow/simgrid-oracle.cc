// SPDX-License-Identifier: GPL-2.0-only
//
// A test program of its own: random networks in which flows begin at random times end when SimGrid
// says so, too. SimGrid has one engine per process, so each network gets a process.

#include "simgrid-model.h"

#include "ns3/max-min-solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr uint32_t kNetworks = 50;
constexpr double kPrecision = 1e-6; //!< part of the time from the first begin

/// So many bytes over some links, from a time on.
struct Flow
{
    std::vector<uint32_t> links;
    double bytes;
    double begin; //!< in seconds, as all times here
};

struct Network
{
    std::vector<double> capacities; //!< of links, in bytes per second
    std::vector<Flow> flows;
};

Network
DrawNetwork(uint32_t seed)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t number) {
        return static_cast<uint32_t>(random() % number);
    };
    const uint32_t links = 4 + draw(20);
    const bool equal = draw(3) == 0;
    Network network;
    for (uint32_t link = 0; link < links; ++link)
    {
        network.capacities.push_back(equal ? 1e9 : 1e8 * (1 + draw(100)));
    }
    for (uint32_t flows = 10 + draw(90); flows > 0; --flows)
    {
        Flow flow;
        while (flow.links.size() < 1 + draw(4))
        {
            const uint32_t link = draw(links);
            if (std::find(flow.links.begin(), flow.links.end(), link) == flow.links.end())
            {
                flow.links.push_back(link);
            }
        }
        flow.bytes = 1e6 * (1 + draw(1000));
        flow.begin = draw(2) == 0 ? 0 : 1e-3 * draw(5000);
        network.flows.push_back(flow);
        if (draw(4) == 0)
        {
            network.flows.push_back(flow); // of the same class
        }
    }
    return network;
}

/// \return when each flow ends, by this module: from one begin or end to the next
std::vector<double>
FollowRates(const Network& network)
{
    MaxMinSolver solver;
    for (const double capacity : network.capacities)
    {
        solver.AddConstraint(capacity);
    }
    const size_t flows = network.flows.size();
    std::vector<double> left;
    for (const Flow& flow : network.flows)
    {
        std::vector<MaxMinSolver::Use> uses;
        for (const uint32_t link : flow.links)
        {
            uses.push_back({link, 1});
        }
        solver.AddVariable(uses, {});
        left.push_back(flow.bytes);
    }
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<double> completionTimes(flows, never);
    for (double now = 0; now < never;)
    {
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            const bool moves = network.flows[flow].begin <= now && completionTimes[flow] == never;
            solver.SetWeight(flow, moves ? 1 : 0);
        }
        solver.Solve();
        double next = never;
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            if (network.flows[flow].begin > now)
            {
                next = std::min(next, network.flows[flow].begin);
            }
            else if (completionTimes[flow] == never)
            {
                next = std::min(next, now + left[flow] / solver.GetRate(flow));
            }
        }
        for (uint32_t flow = 0; flow < flows && next < never; ++flow)
        {
            left[flow] -= (next - now) * solver.GetRate(flow);
            if (completionTimes[flow] == never && left[flow] <= 1e-12 * network.flows[flow].bytes)
            {
                completionTimes[flow] = next;
            }
        }
        now = next;
    }
    return completionTimes;
}

/// \return when each flow ends, by SimGrid's model that knows nothing but max-min fairness
std::vector<double>
AskSimGrid(const Network& network)
{
    namespace sg = simgrid::s4u;
    char program[] = "simgrid-oracle";
    char quiet[] = "--log=xbt_cfg.threshold:warning"; // or it repeats the settings
    char* arguments[] = {program, quiet, nullptr};
    int count = 2;
    sg::Engine engine(&count, arguments);
    SetPlainModel();
    sg::NetZone* zone = sg::create_full_zone("network");
    std::vector<sg::Link*> links;
    for (const double capacity : network.capacities)
    {
        sg::Link* link = zone->create_link("link-" + std::to_string(links.size()), capacity);
        links.push_back(link->set_latency(0)->seal());
    }
    std::vector<double> completionTimes(network.flows.size(), 0);
    for (size_t index = 0; index < network.flows.size(); ++index)
    {
        const Flow& flow = network.flows[index];
        const std::string name = std::to_string(index);
        sg::Host* from = zone->create_host("from-" + name, 1e9)->seal();
        sg::Host* to = zone->create_host("to-" + name, 1e9)->seal();
        std::vector<sg::LinkInRoute> route;
        for (const uint32_t link : flow.links)
        {
            route.emplace_back(links[link]);
        }
        zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
        sg::Mailbox* mailbox = sg::Mailbox::by_name(name);
        sg::Actor::create("send-" + name, from, [&flow, mailbox] {
            static char payload;
            sg::this_actor::sleep_until(flow.begin);
            mailbox->put(&payload, static_cast<uint64_t>(flow.bytes));
        });
        sg::Actor::create("receive-" + name, to, [&completionTimes, index, mailbox] {
            mailbox->get<char>();
            completionTimes[index] = sg::Engine::get_clock();
        });
    }
    zone->seal();
    engine.run();
    return completionTimes;
}

/// \return whether both say the same
bool
Compare(uint32_t seed)
{
    const Network network = DrawNetwork(seed);
    const std::vector<double> ours = FollowRates(network);
    const std::vector<double> theirs = AskSimGrid(network);
    double worst = 0;
    for (size_t flow = 0; flow < ours.size(); ++flow)
    {
        const double error = std::fabs(ours[flow] - theirs[flow]) / theirs[flow];
        if (!(error <= kPrecision))
        {
            std::printf("network %u: flow %zu ends after %.9f s, by SimGrid after %.9f s\n",
                        seed,
                        flow,
                        ours[flow],
                        theirs[flow]);
            return false;
        }
        worst = std::max(worst, error);
    }
    std::printf("network %u: %zu flows over %zu links, at most %.1e apart\n",
                seed,
                ours.size(),
                network.capacities.size(),
                worst);
    return true;
}

/// \return whether both say the same, in a process of its own
bool
CompareApart(uint32_t seed)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
    {
        const bool same = Compare(seed);
        std::fflush(stdout);
        _exit(same ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

} // namespace

} // namespace ns3::rails::test

int
main()
{
    uint32_t failed = 0;
    for (uint32_t seed = 1; seed <= ns3::rails::test::kNetworks; ++seed)
    {
        failed += ns3::rails::test::CompareApart(seed) ? 0 : 1;
    }
    std::printf("%u of %u networks differ\n", failed, ns3::rails::test::kNetworks);
    return failed == 0 ? 0 : 1;
}
