// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

struct Telemetry;

/// What a sender learns from the answer to a frame.
struct AckReport
{
    bool marked{false};  //!< it carried a congestion mark (`transport.echo` says whose)
    TimePs roundTrip{0}; //!< from sending the frame to this answer
    /// What ports on the way of the frame said of themselves; there with UsesTelemetry()
    const Telemetry* telemetry{nullptr};
};

/**
 * Sending rate of one queue pair: the `congestion_control` component. A configured object serves as
 * prototype; each queue pair gets its own by Fork(). No timers: a queue pair asks for the rate when
 * it needs it, and the state is brought up to that time then, so idle queue pairs cost nothing.
 * Times never go backwards from call to call.
 */
class CongestionControl : public Object
{
  public:
    /// What a queue pair may know of its NIC.
    struct NicState
    {
        const uint32_t* activeQueuePairs;  //!< queue pairs that have something to do, at any time
        uint32_t largestWireFrame;         //!< in bytes, with preamble and gap
        Ptr<UniformRandomVariable> random; //!< of the NIC, shared by its queue pairs
        uint32_t mtu;                      //!< payload of a full data frame, in bytes
    };

    static TypeId GetTypeId();

    /// \throws ConfigurationError when the parameters cannot work
    virtual void Check() const;

    /// \return a copy, to which Join() and Start() give the state of a new queue pair
    virtual Ptr<CongestionControl> Fork() const = 0;

    /**
     * The queue pair is made; called before Start(), by default for nothing.
     * \param nic the NIC; the numbers stay in place
     */
    virtual void Join(const NicState& nic);

    /**
     * \return wire bytes that count as sent at the start, and hold the first frame back for as long
     * as they take; by default 0
     */
    virtual uint32_t GetStartBytes();

    /**
     * \return wire bytes by which a queue pair that had to wait for its NIC may run behind its rate
     * and catch up; by default 0: its rate counts from when a frame left, not from when it was due
     */
    virtual uint32_t GetBurstBytes() const;

    /**
     * The queue pair starts. Sets all state that Join() does not.
     * \param now time
     * \param lineRateBps rate of the NIC, in bit/s
     */
    virtual void Start(TimePs now, uint64_t lineRateBps) = 0;

    /**
     * The NIC's rate has changed. Whoever sent at line rate does so again.
     * \param now time
     * \param lineRateBps rate of the NIC, in bit/s
     */
    virtual void SetLineRate(TimePs now, uint64_t lineRateBps) = 0;

    /// \return the rate in bit/s from now until GetNextChange() or the next On...() call
    virtual uint64_t GetRateBps(TimePs now) = 0;

    /// \return when the rate changes by itself (a timer), kNever when nothing is pending
    virtual TimePs GetNextChange(TimePs now) = 0;

    /// A frame was handed to the port; wireBytes includes headers, preamble and gap.
    virtual void OnSent(TimePs now, uint32_t wireBytes);

    /// A congestion notification packet arrived.
    virtual void OnCnp(TimePs now);

    /// \return true when OnAck() and GetWindowBytes() do anything; by default false
    virtual bool UsesAcks() const;

    /// \return true when data frames shall collect what the ports of switches say of themselves,
    /// for OnAck(); by default false
    virtual bool UsesTelemetry() const;

    /// An ACK or NAK arrived.
    virtual void OnAck(TimePs now, const AckReport& report);

    /// A frame is taken for lost and about to be sent again, or a time-out has passed. Not called
    /// for coded frames, of which nobody knows whether they are lost, but for time-outs.
    virtual void OnLoss(TimePs now);

    /// \return payload bytes that may be in flight; by default unlimited
    virtual uint64_t GetWindowBytes() const;

    /// \return true when the rate follows from what SetRhoMax() tells; by default false
    virtual bool WantsRhoMax() const;

    /**
     * Called before anything is sent, when WantsRhoMax().
     * \param rhoMax part of their rate at which all hosts can send
     */
    virtual void SetRhoMax(double rhoMax);

    /// \return true when SetIdleRoundTrip() does anything; by default false
    virtual bool WantsIdleRoundTrip() const;

    /**
     * Called before anything is sent, when WantsIdleRoundTrip().
     * \param time that a frame and its ACK take at most where nothing waits
     */
    virtual void SetIdleRoundTrip(TimePs time);

    /// A parameter that must be longer than the round trip of an idle fabric.
    struct RoundTripParameter
    {
        std::string key;         //!< of the descriptor
        TimePs time;             //!< its value
        std::string consequence; //!< where it is shorter
    };

    /// \return such a parameter, where there is one; by default none
    virtual std::optional<RoundTripParameter> GetRoundTripParameter() const;

    /// \return true when switches must mark and receivers must answer marks with CNPs
    virtual bool UsesEcn() const = 0;

    /// \return the receiver's shortest time between two CNPs of one queue pair; by default 0
    virtual TimePs GetCnpInterval() const;
};

} // namespace ns3::rails

#endif // CONGESTION_CONTROL_H
