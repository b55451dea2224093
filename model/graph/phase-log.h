// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_LOG_H
#define PHASE_LOG_H

#include "ns3/phase-record.h"
#include "ns3/rails-units.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace ns3::rails
{

/// Log of the phases of a schedule, which follow each other, with a callback.
class PhaseLog
{
  public:
    /// \param phases with their names and iterations
    explicit PhaseLog(std::vector<PhaseRecord> phases);

    /**
     * \param callback called with true just before the first post of a phase, and with false when a
     * phase that has posted messages is over
     */
    void SetCallback(std::function<void(bool)> callback);

    /// Ends the current phase, if there is one, and starts the next one, if there is one.
    void Advance(TimePs at);

    /// To be called before a post.
    void TellPost();

    /// \return all phases; times still to come are kNever
    const std::vector<PhaseRecord>& GetRecords() const
    {
        return m_records;
    }

  private:
    std::size_t GetCurrent() const;

    std::vector<PhaseRecord> m_records;
    std::function<void(bool)> m_callback;
    std::size_t m_begun{0}; //!< number of phases that have begun
    bool m_hasPosted{false};
};

} // namespace ns3::rails

#endif // PHASE_LOG_H
