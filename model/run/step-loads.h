// SPDX-License-Identifier: GPL-2.0-only
#ifndef STEP_LOADS_H
#define STEP_LOADS_H

#include "message-ports.h"

#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// What one step of a graph puts on ports, and when.
class StepLoads
{
  public:
    /// What is loaded.
    enum class Place : uint8_t
    {
        NicOut,     //!< wire bytes of messages, by NIC
        NicIn,      //!< the same
        Link,       //!< payload inside servers, by server and link
        GpuOut,     //!< payload for all other GPUs, by GPU
        GpuIn,      //!< payload from all other GPUs, by GPU
        Inside,     //!< what of GpuOut and GpuIn stays inside its server, by GPU
        OwnLink,    //!< payload that GPUs of a server have for each other, by server and link
        GroupOut,   //!< payload that leaves GPUs that share links (ServerCuts), by group
        GroupIn,    //!< the same that reaches them
        ServerOut,  //!< wire bytes for other servers, in messages left whole, by server
        ServerIn,   //!< the same, from other servers
        Cable,      //!< wire bytes of data sent for the first time, by what the engine counts
        CableRepeat //!< of data sent again, likewise
    };

    static Place GetPlace(MessagePort port);

    /// Bytes, taken to be spread evenly over a time.
    struct Load
    {
        double bytes{0};
        TimePs first{kNever};
        TimePs last{0};

        /// \return the whole bytes between two times
        uint64_t CountBetween(TimePs from, TimePs to) const;
    };

    StepLoads();

    /// Adds bytes, of which it is told later when they are moved.
    void Add(Place place, uint32_t number, double bytes)
    {
        Find(place, number).bytes += bytes;
    }

    /// Adds bytes that were moved between two times. Of none: others were as well.
    void Add(Place place, uint32_t number, double bytes, TimePs first, TimePs last);

    /// \return the load of a place; an empty one where there is none
    const Load& Get(Place place, uint32_t number) const;

  private:
    /// A place of a table with open addresses.
    struct Slot
    {
        uint64_t key{kFree};
        Load load{};
    };

    static constexpr uint64_t kFree = ~uint64_t{0};

    static uint64_t MakeKey(Place place, uint32_t number)
    {
        return uint64_t{static_cast<uint8_t>(place)} << 32 | number;
    }

    std::size_t FindSlot(uint64_t key) const;
    Load& Find(Place place, uint32_t number);
    void Grow();

    std::vector<Slot> m_slots; //!< a power of two of them, half of them free at least
    std::size_t m_used{0};
};

} // namespace ns3::rails

#endif // STEP_LOADS_H
