// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_SCHEDULE_H
#define FAILURE_SCHEDULE_H

#include "rails-wiring.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// One thing that fails, is mended or is slowed down, once or again and again.
struct FailureEntry
{
    /// What fails.
    enum class Target
    {
        Link,   //!< the cables between two ends, or the one cable of a NIC
        Switch, //!< all cables of a switch
        Nic,    //!< the cable of a NIC
        Gpu,    //!< a GPU, and with it what it takes part in
        Server  //!< all GPUs of a server, likewise
    };

    /// What happens to the target.
    enum class Change
    {
        Down,
        Up,
        Rate, //!< the cables of the target get another rate
        Flap  //!< the target goes down and comes back, several times
    };

    Target target{Target::Link};
    std::vector<std::string> names; //!< of the switch or NIC, or of both ends
    uint32_t number{0};             //!< of the GPU or server
    std::optional<uint32_t> cable;  //!< which of parallel cables; without a number all of them
    Change change{Change::Down};
    TimePs at{0};        //!< when; of Flap the first time
    uint64_t rateBps{0}; //!< of Rate
    TimePs every{0};     //!< of Flap: from one failure to the next
    TimePs downFor{0};   //!< of Flap: how long each lasts
    uint64_t times{0};   //!< of Flap: how many

    /// \return true when GPUs fail, not cables
    bool IsOfGpus() const;

    /// \return "link", "switch", "nic", "gpu" or "server"
    const char* GetTargetName() const;

    /// \return the target for messages: "link pod0-agg1, core3"
    std::string DescribeTarget() const;
};

/// Cables that may fail at random.
enum RandomCables
{
    CABLES_FABRIC, //!< those between switches
    CABLES_NIC,    //!< those of NICs
    CABLES_ALL
};

/// What is down from the start, each for itself.
struct FailureDraw
{
    double probability{0};              //!< of such a cable
    RandomCables cables{CABLES_FABRIC}; //!< which ones
    std::string portClass{};            //!< lower class of those; empty: any
    double switches{0};                 //!< of a switch: all its cables
    double servers{0};                  //!< of a server: the cables of all its NICs

    /// \return true when nothing is drawn
    bool IsEmpty() const;
};

/// What fails in a run, and when the routing has heard of it.
struct FailureSchedule
{
    std::vector<FailureEntry> entries; //!< in any order
    FailureDraw random;                //!< besides
    TimePs convergence{kNever};        //!< from a change until the routing knows; kNever: never
    CutRules rules;                    //!< what becomes of what cables carry when they are cut

    /// \return true when no cable fails
    bool IsEmpty() const;
};

} // namespace ns3::rails

#endif // FAILURE_SCHEDULE_H
