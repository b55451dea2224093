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

/// Records the experts of each GPU, over all trainings of a run.
class PlacementRecord
{
  public:
    /// \param program of the run, after all its expert moves were computed; must outlive the object
    explicit PlacementRecord(const GraphProgram& program);

    /// Writes placement.csv as a stream.
    /// \throws OutputError when it cannot be written
    void Write(const std::string& folder) const;

  private:
    /// A training, which may be one of several jobs.
    struct Training
    {
        const TrainingProgram* program;
        std::vector<uint32_t> gpus; //!< cluster's GPU by training's GPU; empty: equal
    };

    std::vector<ExpertCopy> List(uint32_t iteration, uint32_t layer) const;

    std::vector<Training> m_trainings;
};

} // namespace ns3::rails

#endif // PLACEMENT_RECORD_H
