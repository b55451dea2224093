// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SEGMENT_RECORDER_H
#define PATH_SEGMENT_RECORDER_H

#include "step-loads.h"

#include "ns3/cluster-shape.h"
#include "ns3/lower-bound.h"
#include "ns3/path-segment.h"
#include "ns3/rails-explanation.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"
#include "ns3/transfer-bound.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// Times of the messages of a path segment, in the chain of an Explanation.
struct SegmentTimes
{
    /// A port, and the time that it cost.
    struct Costly
    {
        TimePs time{0};
        StepLoads::Place place{};
        uint32_t number{0};

        void Raise(const Costly& other)
        {
            *this = other.time > time ? other : *this;
        }
    };

    uint64_t messages{0};
    std::array<TimePs, Explanation::kTimes> times{};
    Costly plan{};   //!< largest time that the plan cost a message
    Costly routes{}; //!< largest time that the routes cost a message

    void Add(const SegmentTimes& other);
};

/**
 * Records the load of each step of a graph on each port while the step is under way. When the step
 * is over, the messages on paths are reduced to sums of times. Subclasses for each engine add the
 * loads of links.
 */
class PathSegmentRecorder : public SegmentWatch
{
  public:
    /**
     * \param wiring the cluster
     * \param speeds of the cluster at its best
     * \param cables number of directed links that the engine counts
     */
    PathSegmentRecorder(const Wiring& wiring, ClusterSpeeds speeds, std::size_t cables);

    void OnPlanned(uint32_t step, uint32_t gpu, const Demand& demand) override;
    void OnDelivered(const Message& message) override;
    void OnAcknowledged(const Message& message) override;
    std::shared_ptr<SegmentNote> MakeNote(const Message& message, TimePs posted) override;
    std::shared_ptr<SegmentNote> MakeReplyNote(const Message& message, TimePs posted) override;
    std::shared_ptr<SegmentNote> MakeGivenNote(TimePs time) override;

    /// Links went down, came up or changed their rate now.
    void NoteCables();

    /// The run is over, and so are all steps.
    void Finish();

    /// After Finish(). \return the times of a segment
    static const SegmentTimes& GetTimes(const PathSegment& segment);

    /// \return true when the engine retransmits
    virtual bool HasRepeats() const = 0;

    /// \return the display name of a port
    std::string GetName(const SegmentTimes::Costly& port) const;

  protected:
    /// \return the display name of a directed link: "rail0-leaf0 to rail0-spine1"
    virtual std::string GetCableName(uint32_t cable) const = 0;

    /// \return the present rate of a directed link; 0 when it is down
    virtual uint64_t GetRate(uint32_t cable) const = 0;

    /// Adds a delivered message to the loads of its links, unless its packets were added one by
    /// one.
    virtual void AddToCables(const Message& message, StepLoads& loads) = 0;

    /// \return the directed links of a message's path
    virtual std::vector<uint32_t> FindCables(const Message& message) = 0;

    /// The links of a message are not needed any more.
    virtual void Forget(const Message& /* message */)
    {
    }

    /// To be called once GetRate() works.
    void TakeFirstRates();

    const Wiring& GetWiring() const
    {
        return m_wiring;
    }

    const FrameFormat& GetFrames() const;

    /// \return the loads of a step
    StepLoads& GetLoads(uint32_t step);

  private:
    /// A message on a path, while its step is under way.
    struct OpenSegment
    {
        TimePs from{0};
        TimePs to{0};
        bool isReply{false};
        uint32_t source{0};
        uint32_t destination{0};
        uint16_t txRail{kNoRail};
        uint16_t rxRail{kNoRail};
        std::vector<uint32_t> cables{};
    };

    /// Data of a segment.
    class Note : public SegmentNote
    {
      public:
        bool Absorb(const SegmentNote& before) override;

        SegmentTimes known;
        std::unique_ptr<const OpenSegment> open; //!< null once `known` is set
    };

    /// A step under way.
    struct Step
    {
        StepLoads loads;
        uint64_t toCome{0};                     //!< planned bytes that are not delivered
        uint64_t toKnow{0};                     //!< planned bytes that are not acknowledged
        std::vector<std::weak_ptr<Note>> notes; //!< of its messages on paths
    };

    /// A change of a link's rate.
    struct Change
    {
        TimePs at;
        uint64_t rateBps;
    };

    std::shared_ptr<Note> Open(const Message& message, TimePs from, TimePs to, bool isReply);
    void CloseDue();
    void Close(const Step& step) const;
    SegmentTimes Measure(const OpenSegment& segment, const StepLoads& loads) const;
    TimePs GetIdeal(const OpenSegment& segment, const StepLoads& loads) const;
    SegmentTimes::Costly GetPlan(const OpenSegment& segment, const StepLoads& loads) const;
    void AddCables(const OpenSegment& segment,
                   const StepLoads& loads,
                   SegmentTimes& measured) const;
    uint64_t GetLinkRate(uint32_t link) const;
    uint64_t GetBestRate(uint32_t cable) const;
    TimePs GetLost(uint32_t cable, TimePs from, TimePs to) const;

    const Wiring& m_wiring;
    ClusterSpeeds m_speeds;
    const ClusterShape& m_shape;
    const ServerInterior& m_interior;
    TransferBound m_bound;
    std::unordered_map<uint32_t, Step> m_steps;
    std::optional<uint32_t> m_due;            //!< a step that may be over
    std::vector<std::vector<Change>> m_rates; //!< by directed link
};

} // namespace ns3::rails

#endif // PATH_SEGMENT_RECORDER_H
