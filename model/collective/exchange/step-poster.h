// SPDX-License-Identifier: GPL-2.0-only
#ifndef STEP_POSTER_H
#define STEP_POSTER_H

#include "exchange-messages.h"
#include "piece-sender.h"
#include "plan-maker.h"

#include "ns3/workload-schedule.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * Makes the messages of a phase, by step and server, and posts those of a step when told. A server
 * posts its messages for other servers in the planner's order, then those that stay inside.
 */
class StepPoster
{
  public:
    /**
     * \param shape the cluster
     * \param planMaker what makes plans
     * \param messages where messages are made
     * \param sender what posts messages to other servers. All three must outlive this object
     */
    StepPoster(ClusterShape shape,
               const PlanMaker& planMaker,
               ExchangeMessages& messages,
               PieceSender& sender);

    /**
     * Plans all steps of a phase for all servers, and numbers their messages: neither can depend on
     * when a step is posted. A plan that does not cover what a server has to send throws
     * std::logic_error.
     * \param steps the steps; they take the place of those of the phase before
     * \return false when they move nothing
     */
    bool PlanSteps(const std::vector<TrafficStep>& steps);

    /// Posts a step of all servers, in the order of their numbers.
    void PostStep(uint32_t step);

    /// Posts a step of one GPU alone.
    void PostStepOfGpu(uint32_t step, uint32_t gpu);

  private:
    /// The messages of a server in a step, by id.
    struct Batch
    {
        size_t first;  //!< those for other servers, in the planner's order
        size_t inside; //!< those that stay inside
        size_t end;    //!< the messages of the next batch
    };

    void PlanServer(const TrafficMatrix& traffic, uint32_t domain, uint32_t step);
    /// Posts a step of a server, or of one of its GPUs alone.
    void PostBatch(uint32_t step, uint32_t domain, std::optional<uint32_t> gpu);

    ClusterShape m_shape;
    const PlanMaker& m_planMaker;
    ExchangeMessages& m_messages;
    PieceSender& m_sender;
    std::vector<Batch> m_batches; //!< by step and server
};

} // namespace ns3::rails

#endif // STEP_POSTER_H
