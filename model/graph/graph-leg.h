// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_LEG_H
#define GRAPH_LEG_H

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3::rails
{

/// What a LegWatch knows of the messages of a leg.
class LegNote
{
  public:
    virtual ~LegNote() = default;

    /**
     * Adds what is known of the leg before, of the same kind.
     * \return false when that is not possible yet
     */
    virtual bool Absorb(const LegNote& before) = 0;
};

/// Part of a path: a message from its post to its delivery, or to the time when its sender knows of
/// that; or several, one behind the other.
struct GraphLeg
{
    GraphLeg(std::shared_ptr<GraphLeg> previous, uint16_t itsKind, std::shared_ptr<LegNote> known)
        : before(std::move(previous)),
          kind(itsKind),
          note(std::move(known))
    {
    }

    GraphLeg(const GraphLeg&) = delete;
    GraphLeg& operator=(const GraphLeg&) = delete;

    /// Lets go of the legs before one by one: there may be too many for a recursion.
    ~GraphLeg()
    {
        while (before && before.use_count() == 1)
        {
            std::shared_ptr<GraphLeg> next = std::move(before->before);
            before = std::move(next);
        }
    }

    /// Takes in the legs before that are on no path but through this one.
    void Absorb()
    {
        while (before && before.use_count() == 1 && before->kind == kind &&
               note->Absorb(*before->note))
        {
            std::shared_ptr<GraphLeg> next = std::move(before->before);
            before = std::move(next);
        }
    }

    std::shared_ptr<GraphLeg> before; //!< null: none
    uint16_t kind;                    //!< of its messages
    std::shared_ptr<LegNote> note;
};

/// Watches what is moved for the steps of a graph. Nothing in a run depends on it.
class LegWatch
{
  public:
    virtual ~LegWatch() = default;

    /// A GPU will send something in a step.
    virtual void OnPlanned(uint32_t step, uint32_t gpu, const Demand& demand) = 0;

    /// A message has been delivered.
    virtual void OnDelivered(const Message& message) = 0;

    /// The sender of a message knows that it has arrived, which it may before the delivery.
    virtual void OnAcknowledged(const Message& message) = 0;

    /// A path leads over a message that has just been delivered, and begins with its post.
    virtual std::shared_ptr<LegNote> MakeNote(const Message& message, TimePs posted) = 0;

    /// The same where the path ends when the sender has just learned of the delivery.
    virtual std::shared_ptr<LegNote> MakeReplyNote(const Message& message, TimePs posted) = 0;

    /// A path leads over a time that the program says has to pass.
    virtual std::shared_ptr<LegNote> MakeGivenNote(TimePs time) = 0;
};

} // namespace ns3::rails

#endif // GRAPH_LEG_H
