// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SEGMENT_H
#define PATH_SEGMENT_H

#include "ns3/rails-message.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3::rails
{

/// A SegmentWatch's data of the messages of a path segment.
class SegmentNote
{
  public:
    virtual ~SegmentNote() = default;

    /**
     * Adds the data of the segment before, of the same kind.
     * \return false when that is not possible yet
     */
    virtual bool Absorb(const SegmentNote& before) = 0;
};

/// A segment of a path: a message from its post to its delivery or acknowledgement, or several
/// messages one behind the other.
struct PathSegment
{
    PathSegment(std::shared_ptr<PathSegment> previous,
                uint16_t itsKind,
                std::shared_ptr<SegmentNote> known)
        : before(std::move(previous)),
          kind(itsKind),
          note(std::move(known))
    {
    }

    PathSegment(const PathSegment&) = delete;
    PathSegment& operator=(const PathSegment&) = delete;

    /// Releases the segments before one by one: there may be too many for a recursion.
    ~PathSegment()
    {
        while (before && before.use_count() == 1)
        {
            std::shared_ptr<PathSegment> next = std::move(before->before);
            before = std::move(next);
        }
    }

    /// Merges the segments before that are on no other path into this one.
    void Absorb()
    {
        while (before && before.use_count() == 1 && before->kind == kind &&
               note->Absorb(*before->note))
        {
            std::shared_ptr<PathSegment> next = std::move(before->before);
            before = std::move(next);
        }
    }

    std::shared_ptr<PathSegment> before; //!< null for the first segment
    uint16_t kind;                       //!< of its messages
    std::shared_ptr<SegmentNote> note;
};

/// Listens to the messages of a graph's steps. A run does not depend on it.
class SegmentWatch
{
  public:
    virtual ~SegmentWatch() = default;

    /// A GPU will send a demand in a step.
    virtual void OnPlanned(uint32_t step, uint32_t gpu, const Demand& demand) = 0;

    /// A message has been delivered.
    virtual void OnDelivered(const Message& message) = 0;

    /// A message has been acknowledged, possibly before OnDelivered().
    virtual void OnAcknowledged(const Message& message) = 0;

    /// \return the note of a segment from the post of a message to its delivery, which is now
    virtual std::shared_ptr<SegmentNote> MakeNote(const Message& message, TimePs posted) = 0;

    /// \return the note of a segment from the post of a message to its acknowledgement, now
    virtual std::shared_ptr<SegmentNote> MakeReplyNote(const Message& message, TimePs posted) = 0;

    /// \return the note of a segment of time that the program prescribes
    virtual std::shared_ptr<SegmentNote> MakeGivenNote(TimePs time) = 0;
};

} // namespace ns3::rails

#endif // PATH_SEGMENT_H
