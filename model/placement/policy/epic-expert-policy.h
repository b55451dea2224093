// SPDX-License-Identifier: GPL-2.0-only
#ifndef EPIC_EXPERT_POLICY_H
#define EPIC_EXPERT_POLICY_H

#include "eplb-replacement.h"

#include "ns3/runtime-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/**
 * `epic`: EPLB places experts once in a period, by what they had to do; in each micro-batch GPUs of
 * a server, whose exact loads are known then, swap experts in pairs, as FindSwaps() says (EPIC,
 * SIGCOMM'26; moe-runtime-2026, section 10, and a summary: AI-Infra-Team/awesome-papers, issue 228;
 * the paper itself was not read). What is uneven between servers stays so until EPLB comes again.
 *
 * A swap must gain at least delta = T_swap / T_comp. Our reading: tokens that a GPU computes while
 * the two experts travel over NVLink at once, each in its own direction. So delta does not depend
 * on the size of an expert, but on what GPUs compute over what NVLink carries. Decoding few tokens
 * takes longer for each, which would make it less.
 *
 * Our choices, as sources leave it open, or have no training:
 * - A swap is for one micro-batch: the next one finds experts where EPLB has put them. The source
 *   notes in its map where they are now, so that they can stay there. What lasts is paid for once
 *   there, and in each micro-batch here.
 * - Both experts travel, whether tokens wait for them or not.
 * - The source decodes: there is no way back. In a training weights are fetched a second time
 * before the way back, as if layers shared the memory, and gradients return to the GPU that the
 * expert came from. Delta counts the way forward alone.
 * - There are no replicas, unless slots are asked for. Then tokens of an expert are dealt evenly
 *   over all of its slots, as under `eplb`, and a swap moves one slot with its share.
 *
 * The source's modes of communication, and its overlap by expert, are no matter of a plan. Declared
 * planning time: none is published, so 0. About 100 us for a layer are the budget that the source
 * has, not a measurement; its all-reduce of loads hides behind quantisation.
 */
class EpicExpertPolicy : public RuntimePolicy, public EplbReplacement
{
  public:
    static TypeId GetTypeId();

    EpicExpertPolicy();

    /// \return Overlapped: experts travel with the tokens
    CopyTiming GetCopyTiming() const override;

    void Check(const ExpertSetting& setting) const override;
    /// Besides, one slot that layers share: for the expert that a swap brings.
    SlotRule GetSlotRule(const ExpertSetting& setting) const override;
    uint32_t GetPeriod() const override;

    bool PlansOneGroup() const override;

  private:
    void DoStart() override;
    std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                 const LoadHistory& history) override;
    ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) override;

    /// \return tokens that a swap gains at least
    double GetMinGain() const;

    std::optional<uint32_t> m_minGain;
};

} // namespace ns3::rails

#endif // EPIC_EXPERT_POLICY_H
