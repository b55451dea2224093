// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "ns3/object.h"
#include "ns3/rails-forkable.h"
#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

struct Telemetry;

/// Feedback of an ACK or NAK for a frame.
struct AckReport
{
    bool marked{false};  //!< it carried an ECN mark (`transport.echo` says whose)
    TimePs roundTrip{0}; //!< from sending the frame to this answer
    /// What ports on the way of the frame said of themselves; there with Traits::usesTelemetry
    const Telemetry* telemetry{nullptr};
};

/**
 * Sending rate of one queue pair: the `congestion_control` component. A configured object is a
 * prototype; each queue pair has a copy from Fork(), which Forkable implements. It has no timers:
 * the state is brought up to date when the queue pair asks for its rate, so idle queue pairs cost
 * nothing. Times never decrease from call to call.
 */
class CongestionControl : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        bool usesAcks{false}; //!< OnAck() and GetWindowBytes() must be called
        /// Data frames must collect port reports for OnAck().
        bool usesTelemetry{false};
        bool usesEcn{false}; //!< switches must mark, and receivers answer marks with CNPs
    };

    /// State of the NIC that a queue pair may read.
    struct NicState
    {
        const uint32_t* activeQueuePairs;  //!< present number of queue pairs with messages
        uint32_t largestWireFrame;         //!< in bytes, with preamble and gap
        Ptr<UniformRandomVariable> random; //!< of the NIC, shared by its queue pairs
        uint32_t mtu;                      //!< payload of a full data frame, in bytes
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// \throws ConfigurationError when the parameters cannot work
    virtual void Check() const;

    /// \return a copy; Join() and Start() set its state for a new queue pair
    virtual Ptr<CongestionControl> Fork() const = 0;

    /**
     * Called when the queue pair is made, before Start(); by default does nothing.
     * \param nic its pointers stay valid
     */
    virtual void Join(const NicState& nic);

    /**
     * \return wire bytes that count as sent at the start, and delay the first frame by their
     * transmission time; by default 0
     */
    virtual uint32_t GetStartBytes();

    /**
     * \return wire bytes that a queue pair may catch up after it waited for its NIC; by default 0:
     * the rate counts from the departure of a frame, not from the time when it was due
     */
    virtual uint32_t GetBurstBytes() const;

    /**
     * The queue pair starts. Sets all state that Join() does not set.
     * \param now present time
     * \param lineRateBps rate of the NIC, in bit/s
     */
    virtual void Start(TimePs now, uint64_t lineRateBps) = 0;

    /**
     * The NIC's rate has changed. A queue pair at the old line rate goes to the new one.
     * \param now present time
     * \param lineRateBps rate of the NIC, in bit/s
     */
    virtual void SetLineRate(TimePs now, uint64_t lineRateBps) = 0;

    /// \return the rate in bit/s from now until GetNextChange() or the next On...() call
    virtual uint64_t GetRateBps(TimePs now) = 0;

    /// \return when the rate changes by itself (a timer); by default kNever: nothing is pending
    virtual TimePs GetNextChange(TimePs now);

    /// A frame was handed to the port; wireBytes includes headers, preamble and gap.
    virtual void OnSent(TimePs now, uint32_t wireBytes);

    /// A congestion notification packet arrived.
    virtual void OnCnp(TimePs now);

    /// An ACK or NAK arrived.
    virtual void OnAck(TimePs now, const AckReport& report);

    /// A lost frame is about to be retransmitted, or a time-out has passed. Coded frames are never
    /// known to be lost, so with a code only time-outs call it.
    virtual void OnLoss(TimePs now);

    /// \return payload bytes that may be in flight; by default unlimited
    virtual uint64_t GetWindowBytes() const;

    /**
     * \param now a time of which GetRateBps() has been asked
     * \return the estimate of congestion that a decrease goes by, for traces; by default 0: there
     * is none
     */
    virtual double GetAlpha(TimePs now) const;

    /// \return true when SetRhoMax() must be called; by default false
    virtual bool WantsRhoMax() const;

    /**
     * Called before the first frame if WantsRhoMax().
     * \param rhoMax share of their rate that all hosts can send at the same time, in (0, 1]
     */
    virtual void SetRhoMax(double rhoMax);

    /// \return true when SetIdleRoundTrip() must be called; by default false
    virtual bool WantsIdleRoundTrip() const;

    /**
     * Called before the first frame if WantsIdleRoundTrip().
     * \param time longest round trip of a frame and its ACK without queueing
     */
    virtual void SetIdleRoundTrip(TimePs time);

    /// A parameter that must be longer than the round trip of an idle fabric.
    struct RoundTripParameter
    {
        std::string key;         //!< of the descriptor
        TimePs time;             //!< value of the key
        std::string consequence; //!< of a shorter value, for messages
    };

    /// \return this parameter, if any; by default none
    virtual std::optional<RoundTripParameter> GetRoundTripParameter() const;

    /// \return the receiver's shortest time between two CNPs of one queue pair; by default 0
    virtual TimePs GetCnpInterval() const;

  protected:
    Traits m_traits; //!< set by constructors alone
};

} // namespace ns3::rails

#endif // CONGESTION_CONTROL_H
