// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_SEQUENCE_H
#define PHASE_SEQUENCE_H

#include "phase-record.h"

#include "ns3/event-id.h"
#include "ns3/message-service.h"
#include "ns3/workload-schedule.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rails
{

/**
 * Goes through the phases of a schedule: waits in those without traffic, and starts each in the
 * instant in which the one before ends, behind all else that happens in that instant, on whatever
 * node: the order of nodes must not matter.
 */
class PhaseSequence
{
  public:
    /// What a sequence has others do.
    struct Callbacks
    {
        /// Starts the traffic of a phase, given with its number, at all servers, which have done
        /// all that they do up to and with now. \return false when there is nothing to move
        std::function<bool(const ScheduledPhase&, size_t)> startTraffic;
        /// The last phase is over.
        std::function<void()> onOver;
    };

    /**
     * \param phases what to go through; they must outlive this object
     * \param service what brings all servers up to the start of a phase
     * \param callbacks what else is to be done
     */
    PhaseSequence(const std::vector<ScheduledPhase>& phases,
                  Ptr<MessageService> service,
                  Callbacks callbacks);
    ~PhaseSequence();

    PhaseSequence(const PhaseSequence&) = delete;
    PhaseSequence& operator=(const PhaseSequence&) = delete;

    /**
     * \param callback called with true by TellFirstPost(), and with false behind all else of the
     * instant in which a phase with traffic has ended; all servers have done what they do up to
     * then
     */
    void SetPhaseCallback(std::function<void(bool)> callback);

    /// Starts the first phase now.
    void Start();

    /// To be called in the instant of the first post of a phase, before the post.
    void TellFirstPost() const;

    /// To be called when the last byte of a phase with traffic is delivered.
    void EndPhase();

    /// \return true when all phases have ended
    bool IsOver() const;

    /// \return true in a phase without traffic, and between the end of a phase and the next start
    bool IsWaiting() const;

    /// \return all phases; times that have not come yet are kNever
    const std::vector<PhaseRecord>& GetRecords() const;

  private:
    void StartNextPhase();

    const std::vector<ScheduledPhase>& m_phases;
    Ptr<MessageService> m_service;
    Callbacks m_callbacks;
    std::function<void(bool)> m_phaseCallback;
    std::vector<PhaseRecord> m_records; //!< by phase
    size_t m_current{0};                //!< the phase that goes on, or the one to start next
    bool m_tellsEnd{false};             //!< a phase with traffic has ended, and nobody was told
    EventId m_timer;                    //!< end of a wait, or start of the next phase
};

} // namespace ns3::rails

#endif // PHASE_SEQUENCE_H
