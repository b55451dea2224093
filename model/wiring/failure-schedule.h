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

/// A target that fails, is repaired or gets another rate, once or repeatedly.
struct FailureEntry
{
    /// What fails.
    enum class Target
    {
        Link,   //!< the links between two switches, or the link of a NIC
        Switch, //!< all links of a switch
        Nic,    //!< the link of a NIC
        Gpu,    //!< a GPU, and with it the work that needs it
        Server  //!< all GPUs of a server, and with them the work that needs these
    };

    /// What happens to the target.
    enum class Change
    {
        Down,
        Up,
        Rate, //!< the links of the target get another rate
        Flap  //!< the target goes down and comes back up, several times
    };

    Target target{Target::Link};
    std::vector<std::string> names; //!< of the switch or NIC, or of both ends of a link
    uint32_t number{0};             //!< of the GPU or server
    std::optional<uint32_t> cable;  //!< index among parallel links; empty: all of them
    Change change{Change::Down};
    TimePs at{0};        //!< time of the change, or of the first of Flap
    uint64_t rateBps{0}; //!< Rate: the new rate
    TimePs every{0};     //!< Flap: from one failure to the next
    TimePs downFor{0};   //!< Flap: duration of each failure
    uint64_t times{0};   //!< Flap: number of failures

    /// \return true when GPUs fail instead of links
    bool IsOfGpus() const;

    /// \return "link", "switch", "nic", "gpu" or "server"
    const char* GetTargetName() const;

    /// \return the target for messages: "link pod0-agg1, core3"
    std::string DescribeTarget() const;
};

/// Links that may fail at random.
enum RandomCables
{
    CABLES_FABRIC, //!< links between switches
    CABLES_NIC,    //!< links of NICs
    CABLES_ALL
};

/// Random failures from the start of a run, drawn independently.
struct FailureDraw
{
    double probability{0};              //!< of a link, among `cables` and of `portClass`
    RandomCables cables{CABLES_FABRIC}; //!< links that may fail
    std::string portClass{};            //!< CableKind::lowerClass of these links; empty: any
    double switches{0};                 //!< probability that all links of a switch fail
    double servers{0};                  //!< probability that the links of all NICs of a server fail

    /// \return true when nothing is drawn
    bool IsEmpty() const;
};

/// Failures of a run, and the delay until routing knows of them.
struct FailureSchedule
{
    std::vector<FailureEntry> entries; //!< in any order
    FailureDraw random;                //!< random failures in addition
    TimePs convergence{kNever};        //!< from a change until routing converges; kNever: never
    CutRules rules;                    //!< for frames on links that are cut

    /// \return true when no link fails
    bool IsEmpty() const;
};

} // namespace ns3::rails

#endif // FAILURE_SCHEDULE_H
