// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEG_RECORDER_H
#define LEG_RECORDER_H

#include "step-loads.h"

#include "ns3/cluster-shape.h"
#include "ns3/graph-leg.h"
#include "ns3/lower-bound.h"
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

/// What the messages of a leg took, in the chain of an Explanation.
struct LegTimes
{
    /// A port, and a time that it has cost.
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
    Costly plan{};   //!< the most that a plan has cost a message
    Costly routes{}; //!< the same of routes

    void Add(const LegTimes& other);
};

/**
 * Keeps what each step of a graph puts on which port while the step goes on. When it is over, what
 * is known of the messages on paths is a sum of times. An engine says what it knows of cables.
 */
class LegRecorder : public LegWatch
{
  public:
    /**
     * \param wiring the cluster
     * \param speeds how fast it is at its best
     * \param cables how many the engine counts, each direction by itself
     */
    LegRecorder(const Wiring& wiring, ClusterSpeeds speeds, std::size_t cables);

    void OnPlanned(uint32_t step, uint32_t gpu, const Demand& demand) override;
    void OnDelivered(const Message& message) override;
    void OnAcknowledged(const Message& message) override;
    std::shared_ptr<LegNote> MakeNote(const Message& message, TimePs posted) override;
    std::shared_ptr<LegNote> MakeReplyNote(const Message& message, TimePs posted) override;
    std::shared_ptr<LegNote> MakeGivenNote(TimePs time) override;

    /// Cables went down, came up or changed their rate now.
    void NoteCables();

    /// The run is over, and so are all steps.
    void Finish();

    /// \return what the messages of a leg took, behind Finish()
    static const LegTimes& GetTimes(const GraphLeg& leg);

    /// \return true when the engine sends again what is lost
    virtual bool HasRepeats() const = 0;

    /// \return the name of a port for people
    std::string GetName(const LegTimes::Costly& port) const;

  protected:
    /// \return the name of a cable for people: "rail0-leaf0 to rail0-spine1"
    virtual std::string GetCableName(uint32_t cable) const = 0;

    /// \return the rate of a cable now; 0 when it is down
    virtual uint64_t GetRate(uint32_t cable) const = 0;

    /// Adds a message that has been delivered to the cables that it took, unless that was done on
    /// its way.
    virtual void AddToCables(const Message& message, StepLoads& loads) = 0;

    /// \return the cables that a message took
    virtual std::vector<uint32_t> FindCables(const Message& message) = 0;

    /// Nobody asks for the cables of a message any more.
    virtual void Forget(const Message& /* message */)
    {
    }

    /// To be called when all rates can be told.
    void TakeFirstRates();

    const Wiring& GetWiring() const;
    const FrameFormat& GetFrames() const;

    /// \return the loads of a step
    StepLoads& GetLoads(uint32_t step);

  private:
    /// A message on a path, while its step goes on.
    struct OpenLeg
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

    /// What is known of a leg.
    class Note : public LegNote
    {
      public:
        bool Absorb(const LegNote& before) override;

        LegTimes known;
        std::unique_ptr<const OpenLeg> open; //!< null: its times are known
    };

    /// A step that goes on.
    struct Step
    {
        StepLoads loads;
        uint64_t toCome{0};                     //!< bytes that are planned and not delivered
        uint64_t toKnow{0};                     //!< and not acknowledged
        std::vector<std::weak_ptr<Note>> notes; //!< of its messages that paths lead over
    };

    /// From when on a cable has a rate.
    struct Change
    {
        TimePs at;
        uint64_t rateBps;
    };

    std::shared_ptr<Note> Open(const Message& message, TimePs from, TimePs to, bool isReply);
    void CloseDue();
    void Close(const Step& step) const;
    LegTimes Measure(const OpenLeg& leg, const StepLoads& loads) const;
    TimePs GetIdeal(const OpenLeg& leg, const StepLoads& loads) const;
    LegTimes::Costly GetPlan(const OpenLeg& leg, const StepLoads& loads) const;
    void AddCables(const OpenLeg& leg, const StepLoads& loads, LegTimes& measured) const;
    uint64_t GetLinkRate(uint32_t link) const;
    uint64_t GetBestRate(uint32_t cable) const;
    TimePs GetLost(uint32_t cable, TimePs from, TimePs to) const;

    const Wiring& m_wiring;
    ClusterSpeeds m_speeds;
    const ClusterShape& m_shape;
    const ServerInterior& m_interior;
    TransferBound m_bound;
    std::unordered_map<uint32_t, Step> m_steps;
    std::optional<uint32_t> m_due;            //!< one that may be over
    std::vector<std::vector<Change>> m_rates; //!< by cable
};

} // namespace ns3::rails

#endif // LEG_RECORDER_H
