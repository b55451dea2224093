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
 * 2504.14960); dp and edp follow from the number of GPUs.
 */
class ParallelLayout : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param gpus number of GPUs of the cluster
     * \throws ConfigurationError with the key when the layout does not divide them
     */
    void Check(uint32_t gpus) const;

    /// \return coordinates of each GPU. \param gpus pass Check()
    RankMaps MakeMaps(uint32_t gpus) const;

    uint32_t GetTp() const
    {
        return m_tp;
    }

    uint32_t GetCp() const
    {
        return m_cp;
    }

    uint32_t GetPp() const
    {
        return m_pp;
    }

    uint32_t GetVpp() const
    {
        return m_vpp;
    }

    /// \return layers of the chunks of all stages; the layout passes Check()
    LayerLayout GetLayout() const;

    uint32_t GetEp() const
    {
        return m_ep;
    }

    uint32_t GetEtp() const
    {
        return m_etp;
    }

    /// \return number of replicas of attention. \param gpus pass Check()
    uint32_t GetDp(uint32_t gpus) const;

    /// \return number of replicas of an expert. \param gpus pass Check()
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
