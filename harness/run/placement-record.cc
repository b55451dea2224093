// SPDX-License-Identifier: GPL-2.0-only
#include "placement-record.h"

#include "ns3/jobs-program.h"
#include "ns3/placement-table.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

PlacementRecord::PlacementRecord(const GraphProgram& program)
{
    const auto add = [this](const GraphProgram& one, const std::vector<uint32_t>& gpus) {
        if (const auto* training = dynamic_cast<const TrainingProgram*>(&one))
        {
            m_trainings.push_back({training, gpus});
        }
    };
    add(program, {});
    if (const auto* jobs = dynamic_cast<const JobsProgram*>(&program))
    {
        for (const Job& job : jobs->GetJobs())
        {
            add(*job.program, job.gpus);
        }
    }
}

/// \return replicas of a layer's experts in all trainings, sorted by expert and GPU of the cluster
std::vector<ExpertCopy>
PlacementRecord::List(uint32_t iteration, uint32_t layer) const
{
    std::vector<ExpertCopy> all;
    for (const Training& training : m_trainings)
    {
        const ExpertExtent own = training.program->GetExpertExtent();
        if (iteration >= own.iterations || layer >= own.layers)
        {
            continue;
        }
        for (ExpertCopy copy : training.program->ListExpertCopies(iteration, layer))
        {
            copy.gpu = training.gpus.empty() ? copy.gpu : training.gpus[copy.gpu];
            all.push_back(copy);
        }
    }
    std::sort(all.begin(), all.end(), [](const ExpertCopy& left, const ExpertCopy& right) {
        return std::pair(left.expert, left.gpu) < std::pair(right.expert, right.gpu);
    });
    return all;
}

void
PlacementRecord::Write(const std::string& folder) const
{
    ExpertExtent extent;
    for (const Training& training : m_trainings)
    {
        const ExpertExtent own = training.program->GetExpertExtent();
        extent.iterations = std::max(extent.iterations, own.iterations);
        extent.layers = std::max(extent.layers, own.layers);
    }
    PlacementTable table(folder);
    for (uint32_t iteration = 0; iteration < extent.iterations; ++iteration)
    {
        for (uint32_t layer = 0; layer < extent.layers; ++layer)
        {
            table.Add(iteration, layer, List(iteration, layer));
        }
    }
    table.Close();
}

} // namespace ns3::rails
