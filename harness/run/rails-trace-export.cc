// SPDX-License-Identifier: GPL-2.0-only
#include "rails-trace-export.h"

#include "expert-study-run.h"
#include "expert-study.h"

#include "ns3/rails-error.h"
#include "ns3/rails-streams.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/token-load.h"

#include <numeric>
#include <ostream>

namespace ns3::rails
{

namespace
{

/// Writes the counts of a micro-batch, a line for each GPU.
void
WriteCounts(const LoadShape& shape,
            const LoadPlace& place,
            const std::vector<uint32_t>& counts,
            std::ostream& os)
{
    auto count = counts.begin();
    for (uint32_t gpu = 0; gpu < shape.sources; ++gpu)
    {
        os << place.iteration << ',' << place.layer << ',' << place.microbatch << ',' << gpu;
        for (uint32_t expert = 0; expert < shape.experts; ++expert)
        {
            os << ',' << *count++;
        }
        os << '\n';
    }
}

} // namespace

void
ExportTrace(const Experiment& experiment, const std::vector<uint32_t>& iterations, std::ostream& os)
{
    if (!IsExpertStudy(experiment))
    {
        throw ConfigurationError("experts",
                                 "a trace is written of a study, which has this section");
    }
    const Ptr<ExpertStudy> study = experiment.Get<ExpertStudy>("experts");
    const Ptr<TokenLoad>& load = study->GetLoad();
    LoadShape shape = study->MakePlan().shape;
    std::vector<uint32_t> wanted = iterations;
    if (wanted.empty())
    {
        wanted.resize(shape.iterations);
        std::iota(wanted.begin(), wanted.end(), 0U);
    }
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(experiment.seed);
    load->AssignStreams(kWorkloadStreams);
    load->Start();
    os << "iteration,layer,microbatch,rank";
    for (uint32_t expert = 0; expert < shape.experts; ++expert)
    {
        os << ",e" << expert;
    }
    os << '\n';
    for (const uint32_t iteration : wanted)
    {
        for (uint32_t layer = 0; layer < shape.layers; ++layer)
        {
            for (uint32_t microbatch = 0; microbatch < shape.microbatches; ++microbatch)
            {
                const LoadPlace place{iteration, layer, microbatch};
                WriteCounts(shape, place, load->Draw(shape, place), os);
            }
        }
    }
}

} // namespace ns3::rails
