// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SELECTOR_H
#define PATH_SELECTOR_H

#include "ns3/object.h"
#include "ns3/path-spread.h"
#include "ns3/rails-forkable.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-router.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::rails
{

/// Where a queue pair's end is, for its path selector.
struct PathContext
{
    uint32_t flow{0};                  //!< number of the queue pair at its NIC
    uint32_t sourceEdge{0};            //!< switch that the own NIC is attached to
    uint32_t destinationEdge{0};       //!< switch that the other NIC is attached to
    const Router* router{nullptr};     //!< knows the paths between these two switches
    Ptr<UniformRandomVariable> random; //!< of the NIC, shared by its queue pairs
};

/// What a sender learns of a frame that it sent.
struct PathFeedback
{
    /// How the sender learns of the frame.
    enum class Kind : uint8_t
    {
        Ack,    //!< it was answered
        Loss,   //!< it is taken for lost, and about to be sent again
        Timeout //!< nothing was heard for the recovery's time-out
    };

    Kind kind{Kind::Ack};
    uint64_t psn{0};     //!< number of the frame; of a time-out the first not acknowledged
    uint32_t entropy{0}; //!< ACK: what the frame was sent with; else 0
    bool marked{false};  //!< ACK: it carried a congestion mark (`transport.echo` says whose)
    TimePs roundTrip{0}; //!< ACK: from sending the frame to this answer
};

/**
 * Chooses the path of each frame of a queue pair: the `balance.host` component. Hosts see no ports;
 * what they choose is the entropy that switches hash, or a source route. A configured object serves
 * as prototype; each end of a queue pair has its own by Fork(), which Forkable implements. No
 * timers: times are compared when something happens.
 */
class PathSelector : public Object
{
  public:
    /// What holds for all objects of a class.
    struct Traits
    {
        bool isShared{false};     //!< it has no state: one object serves all queue pairs
        bool usesFeedback{false}; //!< OnFeedback() does something
        bool usesEcn{false};      //!< switches must mark frames
        /// Answers take paths of their own, which the receiver's selector chooses; otherwise they
        /// carry the entropy of the frame that they answer.
        bool routesReplies{false};
        /// Frames that follow each other in a queue pair take several paths, so that they overtake
        /// each other.
        bool scattersFrames{false};
        /**
         * How the frames of a queue pair spread over the paths through the fabric, for engines that
         * move no frames: OnePath when each has the queue pair's number as its entropy; Even when
         * each has another entropy, whatever becomes of them; Routes when they take all shortest
         * paths in turn by source routes; Adaptive when the choice depends on what comes back or on
         * anything else, so that an engine without frames has to refuse it.
         */
        PathSpread spread{PathSpread::Adaptive};
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// \throws ConfigurationError when the parameters cannot work
    virtual void Check() const;

    /// \return a selector with the same parameters for one more end of a queue pair
    virtual Ptr<PathSelector> Fork() const = 0;

    /// The queue pair is made.
    virtual void Start(TimePs now, const PathContext& context);

    /**
     * Chooses the path of the next frame.
     * \param now time
     * \param frame complete but for its entropy, which is the queue pair's number, and its route
     */
    virtual void Choose(TimePs now, Frame& frame) = 0;

    /// Something became known of a frame.
    virtual void OnFeedback(TimePs now, const PathFeedback& feedback);

    /// \return queue pairs that share what one message has to send; by default 1
    virtual uint32_t GetSubflows() const;

  protected:
    Traits m_traits; //!< set by constructors alone
};

} // namespace ns3::rails

#endif // PATH_SELECTOR_H
