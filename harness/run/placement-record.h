// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACEMENT_RECORD_H
#define PLACEMENT_RECORD_H

#include "ns3/graph-program.h"
#include "ns3/training-program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Writes down which GPUs of a run have which experts, of all its trainings together.
class PlacementRecord
{
  public:
    /// \param program of the run, of which all that is moved has been asked for; has to live as
    /// long
    explicit PlacementRecord(const GraphProgram& program);

    /// Writes placement.csv row by row.
    /// \throws OutputError when it cannot be written
    void Write(const std::string& folder) const;

  private:
    /// A training, which may be one of several jobs.
    struct Training
    {
        const TrainingProgram* program;
        std::vector<uint32_t> gpus; //!< of the cluster, by GPU of the training; empty: the same
    };

    std::vector<ExpertCopy> List(uint32_t iteration, uint32_t layer) const;

    std::vector<Training> m_trainings;
};

} // namespace ns3::rails

#endif // PLACEMENT_RECORD_H
