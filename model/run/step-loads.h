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

/// Loads of a step of a graph on ports, with their times.
class StepLoads
{
  public:
    /// Kind of a load, and its index.
    enum class Place : uint8_t
    {
        NicOut,     //!< wire bytes of messages, by sending NIC
        NicIn,      //!< wire bytes of messages, by receiving NIC
        Link,       //!< payload inside servers, by server and link
        GpuOut,     //!< payload for all other GPUs, by GPU
        GpuIn,      //!< payload from all other GPUs, by GPU
        Inside,     //!< part of GpuOut and GpuIn that stays inside the server, by GPU
        OwnLink,    //!< payload between GPUs of a server, by server and link
        GroupOut,   //!< payload that leaves GPUs that share links (ServerCuts), by group
        GroupIn,    //!< payload that reaches GPUs that share links, by group
        ServerOut,  //!< wire bytes for other servers, of uncut messages, by server
        ServerIn,   //!< wire bytes from other servers, of uncut messages, by server
        Cable,      //!< wire bytes of data, without retransmissions, by directed link
        CableRepeat //!< wire bytes of retransmissions, by directed link
    };

    static Place GetPlace(MessagePort port);

    /// Bytes that count as spread evenly over a time.
    struct Load
    {
        double bytes{0};
        TimePs first{kNever};
        TimePs last{0};

        /// \return the whole bytes between two times
        uint64_t CountBetween(TimePs from, TimePs to) const;
    };

    StepLoads();

    /// Adds bytes whose times follow in a later call.
    void Add(Place place, uint32_t number, double bytes)
    {
        Find(place, number).bytes += bytes;
    }

    /// Adds bytes that were moved between two times. 0 bytes: extends the times of the load.
    void Add(Place place, uint32_t number, double bytes, TimePs first, TimePs last);

    /// \return the load of a place; 0 by default
    const Load& Get(Place place, uint32_t number) const;

  private:
    /// A slot of a hash table with open addressing.
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

    std::vector<Slot> m_slots; //!< their number is a power of two; at least half of them are free
    std::size_t m_used{0};
};

} // namespace ns3::rails

#endif // STEP_LOADS_H
