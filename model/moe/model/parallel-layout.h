// SPDX-License-Identifier: GPL-2.0-only
#ifndef PARALLEL_LAYOUT_H
#define PARALLEL_LAYOUT_H

#include "layer-layout.h"
#include "rank-map.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// Which GPU holds what part of a model: one map for attention, one for experts, as in Megatron.
struct RankMaps
{
    RankMap attention; //!< axes tp, cp, dp, pp
    RankMap experts;   //!< axes etp, ep, edp, pp
};

/**
 * How a model is divided over GPUs: `parallel` of a training. Attention is divided into tp x cp x
 * dp x pp, experts into etp x ep x edp x pp over the same GPUs (MoE Parallel Folding, arXiv
 * 2504.14960); dp and edp are what is left.
 */
class ParallelLayout : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param gpus of the cluster
     * \throws ConfigurationError with the key when they cannot be divided so
     */
    void Check(uint32_t gpus) const;

    /// \return who is where. \param gpus pass Check()
    RankMaps MakeMaps(uint32_t gpus) const;

    uint32_t GetTp() const;
    uint32_t GetCp() const;
    uint32_t GetPp() const;
    uint32_t GetVpp() const;

    /// \return how layers are dealt over the chunks of all stages. It passes Check()
    LayerLayout GetLayout() const;

    uint32_t GetEp() const;
    uint32_t GetEtp() const;

    /// \return how many replicas of attention there are. \param gpus pass Check()
    uint32_t GetDp(uint32_t gpus) const;

    /// \return how many replicas of an expert there are. \param gpus pass Check()
    uint32_t GetEdp(uint32_t gpus) const;

  private:
    void CheckLayout() const;

    uint32_t m_tp{1};
    uint32_t m_cp{1};
    uint32_t m_pp{1};
    uint32_t m_vpp{1};
    std::string m_layout;
    uint32_t m_dp{0};
    uint32_t m_ep{1};
    uint32_t m_etp{1};
    std::string m_order;
};

} // namespace ns3::rails

#endif // PARALLEL_LAYOUT_H
