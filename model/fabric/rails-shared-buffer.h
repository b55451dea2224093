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
 * The packet buffer of a switch. Lossless frames are charged to their ingress port: to the shared
 * pool up to a dynamic threshold, beyond it to the port's headroom, and then the far end must be
 * paused. Lossy frames are charged to their egress port, and dropped beyond the threshold. The
 * threshold is alpha times the free bytes of the shared pool.
 */
class SharedBuffer
{
  public:
    /// Result of an admission.
    enum class Admission
    {
        Admitted,
        AdmittedAndPause, //!< admitted, and the ingress port must now be paused
        Refused
    };

    /**
     * \param bytes size of the buffer
     * \param alpha share of the free pool that a queue may hold
     * \param xonOffset bytes below its threshold at which an ingress port resumes
     */
    SharedBuffer(uint64_t bytes, double alpha, uint64_t xonOffset);

    /**
     * Adds a port.
     * \param headroom bytes reserved for the port per lossless class
     * \return false when the headroom of all ports leaves no shared pool
     */
    bool AddPort(uint64_t headroom);

    /// Admits a lossless frame that came in by a port.
    Admission AdmitLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes);

    /**
     * Releases the buffer of a lossless frame.
     * \return true when the ingress port may now resume
     */
    bool ReleaseLossless(uint32_t ingress, uint8_t trafficClass, uint32_t bytes);

    /**
     * Admits a lossy frame.
     * \param queueBytes bytes of its class already queued at its egress port
     * \param bytes length of the frame
     */
    Admission AdmitLossy(uint64_t queueBytes, uint32_t bytes);

    /// Releases the buffer of a lossy frame.
    void ReleaseLossy(uint32_t bytes);

    /// \return false when more bytes were released than admitted, or the buffer overflowed
    bool IsConsistent() const;

    /// \return bytes in the buffer, headroom included
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// \return largest GetUsed() so far
    uint64_t GetUsedMax() const
    {
        return m_usedMax;
    }

    /// \return size of the buffer
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// \return size of the shared pool
    uint64_t GetSharedSize() const
    {
        return m_sharedSize;
    }

    /// \return true while the far end of a port must pause a class
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
