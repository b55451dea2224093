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

/// When the phases of a schedule took place, and who is told of it: phases follow each other.
class PhaseLog
{
  public:
    /// \param phases their names and iterations
    explicit PhaseLog(std::vector<PhaseRecord> phases);

    /**
     * \param callback called in the instant of the first post of a phase, before it, with true, and
     * with false when a phase that has posted something is over
     */
    void SetCallback(std::function<void(bool)> callback);

    /// The phase that goes on, if there is one, is over, and the next one starts, if there is one.
    void GoOn(TimePs at);

    /// To be called before a post.
    void TellPost();

    /// \return all phases; times that have not come yet are kNever
    const std::vector<PhaseRecord>& GetRecords() const;

  private:
    std::size_t GetCurrent() const;

    std::vector<PhaseRecord> m_records;
    std::function<void(bool)> m_callback;
    std::size_t m_begun{0}; //!< how many phases have
    bool m_hasPosted{false};
};

} // namespace ns3::rails

#endif // PHASE_LOG_H
