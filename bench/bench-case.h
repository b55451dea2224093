// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// A simulation for measurements of speed. Parts are object factories as text:
/// "TypeId[Key=value|...]".
struct BenchCase
{
    /// Traffic matrix.
    enum class Traffic
    {
        Permutation, //!< every GPU to one other
        AllToAll     //!< every GPU to all GPUs of other servers, on rail after rail
    };

    std::string name;
    std::string topology;
    Traffic traffic;
    uint64_t bytesPerGpu; //!< sent by each GPU
    bool recordsQueues{false};
    std::string profile{"ns3::rails::SwitchProfile"};
    std::string marker{"ns3::rails::EcnMarker"};
    std::string transport{"ns3::rails::Transport"};
    std::string path{"ns3::rails::FlowPathSelector"};
    std::string selector{"ns3::rails::EcmpPortSelector"};
};

/// One simulation of a case.
struct BenchRun
{
    double wallSeconds{0}; //!< set-up excluded
    uint64_t frameHops{0};
    uint64_t events{0};
    double meanPending{0}; //!< ns-3 events pending on average; only with countsPending
    uint64_t messages{0};
    uint64_t messagesDelivered{0};
};

/// The ns-3 event scheduler of all measurements.
extern const char* const kBenchScheduler;

/**
 * \param countsPending whether to count pending events, which slows the run down
 * \throws ConfigurationError when its parts do not fit each other
 */
BenchRun RunBenchCase(const BenchCase& bench, bool countsPending);

/**
 * \param pending constant number of pending events
 * \param events number of events to run
 * \return time in nanoseconds of an event that only schedules itself again
 */
double MeasureEmptyEvent(uint64_t pending, uint64_t events);

} // namespace ns3::rails

#endif // BENCH_CASE_H
