// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SHARED_BUFFER_H
#define RAILS_SHARED_BUFFER_H

#include "rails-frame.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The packet buffer of a switch. Lossless frames are charged to the port they came in by: to the
 * shared pool up to a dynamic threshold, beyond it to the port's headroom, and the port asks to be
 * paused. Lossy frames are charged to the port they leave by, and refused beyond its threshold. The
 * threshold is alpha times what is free of the shared pool.
 */
class SharedBuffer
{
  public:
    /// What happened to a frame that asked for room.
    enum class Admission
    {
        Admitted,
        AdmittedAndPause, //!< admitted, and the ingress port must now be paused
        Refused
    };

    /**
     * \param bytes size of the buffer
     * \param alpha share of the free pool that a queue may hold
     * \param xonOffset how far below its threshold an ingress must fall before it resumes
     */
    SharedBuffer(uint64_t bytes, double alpha, uint64_t xonOffset);

    /**
     * Adds a port.
     * \param headroom bytes kept for it per lossless class
     * \return false when the headroom of all ports exceeds the buffer
     */
    bool AddPort(uint64_t headroom);

    /// Asks room for a lossless frame that came in by a port.
    Admission AdmitLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes);

    /**
     * Frees the room of a lossless frame.
     * \return true when the ingress port may now resume
     */
    bool ReleaseLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes);

    /**
     * Asks room for a lossy frame.
     * \param queueBytes bytes of its class that already wait at the port it leaves by
     * \param bytes length of the frame
     */
    Admission AdmitLossy(uint64_t queueBytes, uint32_t bytes);

    /// Frees the room of a lossy frame.
    void ReleaseLossy(uint32_t bytes);

    /// \return false when more was given back than had been taken, or the buffer overflowed
    bool IsConsistent() const;
    /// \return bytes in the buffer, headroom included
    uint64_t GetUsed() const;
    /// \return largest GetUsed() so far
    uint64_t GetUsedMax() const;
    /// \return size of the buffer
    uint64_t GetSize() const;
    /// \return size of the shared pool
    uint64_t GetSharedSize() const;
    /// \return true while a port is asked to pause a class
    bool IsPausing(uint32_t ingress, uint8_t trafficClass) const;
    /// \return bytes charged to a port and class
    uint64_t GetCharged(uint32_t ingress, uint8_t trafficClass) const;

  private:
    struct Ingress
    {
        uint64_t shared{0};
        uint64_t headroom{0};
        bool pausing{false};
    };

    struct IngressPort
    {
        uint64_t headroomSize;
        std::array<Ingress, kTrafficClasses> classes;
    };

    uint64_t GetThreshold() const;
    void Take(uint64_t bytes);
    void GiveBack(uint64_t bytes, uint64_t fromShared);

    uint64_t m_size;
    double m_alpha;
    uint64_t m_xonOffset;
    uint64_t m_sharedSize;
    uint64_t m_sharedUsed{0};
    uint64_t m_used{0};
    uint64_t m_usedMax{0};
    bool m_consistent{true};
    std::vector<IngressPort> m_ports;
};

} // namespace ns3::rails

#endif // RAILS_SHARED_BUFFER_H
