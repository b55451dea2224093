// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_TALLY_H
#define EXPERT_TALLY_H

#include "expert-budget.h"
#include "expert-plan.h"
#include "expert-states.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Counts experts in the placements of GPUs in an iteration, layer by layer.
class HeldTally
{
  public:
    /// Experts of a GPU, all layers together.
    struct Held
    {
        uint64_t experts{0};
        uint64_t stateBytes{0}; //!< optimizer states, see DivideStates()
    };

    /// \param stateBytes optimizer states of an expert, all hosts together
    /// \param gpus number of GPUs
    HeldTally(uint64_t stateBytes, uint32_t gpus)
        : m_stateBytes(stateBytes),
          m_held(gpus),
          m_ofLayer(gpus)
    {
    }

    void BeginIteration()
    {
        std::fill(m_held.begin(), m_held.end(), Held());
    }

    void BeginLayer()
    {
        std::fill(m_ofLayer.begin(), m_ofLayer.end(), 0);
    }

    /// \param hosts of an expert of the layer, each once
    void Add(const std::vector<uint32_t>& hosts)
    {
        for (const auto& [gpu, bytes] : DivideStates(m_stateBytes, hosts))
        {
            ++m_held[gpu].experts;
            m_held[gpu].stateBytes += bytes;
            m_mostOfLayer = std::max(m_mostOfLayer, ++m_ofLayer[gpu]);
        }
    }

    /// \return experts of each GPU in the iteration
    const std::vector<Held>& GetByGpu() const
    {
        return m_held;
    }

    /// \return most experts of a layer on a GPU, in any iteration
    uint64_t GetMostOfLayer() const
    {
        return m_mostOfLayer;
    }

  private:
    uint64_t m_stateBytes;
    std::vector<Held> m_held;
    std::vector<uint64_t> m_ofLayer; //!< experts of the current layer, by GPU
    uint64_t m_mostOfLayer{0};
};

/// Counts temporary replicas on GPUs, and the slots that they fill.
class SlotTally
{
  public:
    /// \param slots of a GPU for temporary replicas; experts beyond them are read remotely;
    ///     nothing: no limit
    explicit SlotTally(std::optional<uint32_t> slots)
        : m_slots(slots)
    {
    }

    /// \return temporary replicas of a plan, by GPU
    static std::vector<uint64_t> CountCopies(const ExpertPlan& plan, uint32_t gpus)
    {
        std::vector<uint64_t> copies(gpus);
        for (const ExpertTransfer& transfer : plan.weights)
        {
            ++copies[transfer.to];
        }
        return copies;
    }

    /// Adds a plan.
    /// \param copies temporary replicas of the plan by GPU; reduced to those that fill slots
    void Fill(const ExpertPlan& plan, std::vector<uint64_t>& copies)
    {
        for (uint64_t& filled : copies)
        {
            filled = std::min<uint64_t>(filled, m_slots.value_or(filled));
            m_mostCopies = std::max(m_mostCopies, filled);
        }
        m_fetchesAgain = m_fetchesAgain || plan.fetchesAgain;
    }

    /// \return true when some plan fetches weights again
    bool FetchesAgain() const
    {
        return m_fetchesAgain;
    }

    /// \return FindSlotFigures() over all plans
    SlotFigures GetFigures(const ExpertPolicy& policy,
                           const ExpertSetting& setting,
                           uint64_t mostHeld) const
    {
        return FindSlotFigures(policy, setting, mostHeld, m_mostCopies, m_fetchesAgain);
    }

  private:
    std::optional<uint32_t> m_slots;
    uint64_t m_mostCopies{0}; //!< most replicas of a layer on a GPU
    bool m_fetchesAgain{false};
};

} // namespace ns3::rails

#endif // EXPERT_TALLY_H
