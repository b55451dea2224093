// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_PROFILE_H
#define SWITCH_PROFILE_H

#include "ecn-marker.h"

#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Common settings of all switches of a run: the `switch` section.
class SwitchProfile : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Buffer reserved for a port, per lossless class, for frames that arrive after its request to
     * pause: the attribute Headroom, or FindSafeHeadroom().
     * \param rateBps rate of the link
     * \param delay one-way propagation delay
     * \param largestFrame length in bytes of the largest frame of any kind, without preamble and
     * gap
     * \return bytes; 0 when the switch is lossy
     */
    uint64_t GetHeadroom(uint64_t rateBps, TimePs delay, uint32_t largestFrame) const;

    /// \throws ConfigurationError: the buffer of a switch does not hold the headroom of its ports
    [[noreturn]] static void RefuseHeadroom(const std::string& name,
                                            std::size_t ports,
                                            uint64_t buffer);

    /**
     * The headroom without drops: 2 * rate * delay / 8 + 2 largest wire frames + a
     * pause frame + rate * response / 8, in whole frames rounded up, and one frame more. One of the
     * two frames delays the pause frame, the other has just begun to leave the far end, so the
     * largest of all kinds of frames counts.
     * \param rateBps rate of the link
     * \param delay one-way propagation delay
     * \param largestFrame length in bytes of the largest frame of any kind, without preamble and
     * gap
     * \return bytes
     */
    uint64_t FindSafeHeadroom(uint64_t rateBps, TimePs delay, uint32_t largestFrame) const;

    /// \return the attribute Headroom; special: FindSafeHeadroom() applies
    ByteSize GetGivenHeadroom() const
    {
        return m_headroom;
    }

    /// \throws ConfigurationError when the values contradict each other
    void Check() const;

    /**
     * Checks that the largest frame is shorter than half of the pause quanta. A pause is repeated
     * after half of its quanta, and a frame being sent then delays the repetition.
     * \param largestWireFrame length in bytes of the largest frame, with preamble and gap
     * \throws ConfigurationError when pauses do not stay in force
     */
    void CheckPauses(uint32_t largestWireFrame) const;

    /**
     * \param largestLossless length in bytes of the largest frame of a lossless class
     * \throws ConfigurationError when no such frame fits the headroom, which asks for a pause
     */
    void CheckHeadroom(uint32_t largestLossless) const;

    /**
     * \param largestData length in bytes of the largest data frame
     * \param largestControl length in bytes of the largest frame of the control class
     * \return bytes of the shared pool of a switch needed to admit a frame without headroom
     */
    uint64_t GetSmallestPool(uint32_t largestData, uint32_t largestControl) const;

    /// \return size of the buffer in bytes
    uint64_t GetBuffer() const
    {
        return m_buffer.Get();
    }

    /// \return buffer of each port in bytes; special: all ports share one buffer
    ByteSize GetPortBuffer() const
    {
        return m_portBuffer;
    }

    /// \return share of the free pool that a queue may hold
    double GetAlpha() const
    {
        return m_alpha;
    }

    /// \return true when switches use PFC
    bool UsesPfc() const
    {
        return m_pfc;
    }

    /// \return time from the arrival of a pause frame until it is obeyed
    TimePs GetPauseResponse() const
    {
        return m_pauseResponse.GetPicoSeconds();
    }

    /// \return bytes by which a queue must fall below its threshold to resume
    uint64_t GetXonOffset() const
    {
        return m_xonOffset.Get();
    }

    /// \return pause time in a pause frame, in units of 512 bit times
    uint32_t GetPauseQuanta() const
    {
        return m_pauseQuanta;
    }

    /// \return prototype of the ECN marker
    Ptr<EcnMarker> GetEcn() const
    {
        return m_ecn;
    }

  private:
    ByteSize m_buffer;
    ByteSize m_portBuffer;
    double m_alpha{0};
    bool m_pfc{false};
    ByteSize m_headroom;
    Time m_pauseResponse;
    ByteSize m_xonOffset;
    uint32_t m_pauseQuanta{0};
    Ptr<EcnMarker> m_ecn;
};

} // namespace ns3::rails

#endif // SWITCH_PROFILE_H
