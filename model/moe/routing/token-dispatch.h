// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_DISPATCH_H
#define TOKEN_DISPATCH_H

#include "ns3/copy-hops.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-copy.h"
#include "ns3/gpu-partition.h"
#include "ns3/token-load.h"
#include "ns3/training-spec.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Hops of temporary replicas, and the window in which they are sent.
struct CopyTraffic
{
    std::vector<CopyHop> hops; //!< sorted by sending GPU; GPUs are places in the group
    double share{0};           //!< share of the bytes sent in the first of two windows
};

/// Dispatch of a group's tokens in a layer of a micro-batch, with the transfers and planning that
/// it needs.
struct ExpertRouting
{
    std::vector<uint32_t> tokens;   //!< token-expert pairs by source and destination
    std::vector<uint64_t> received; //!< rows that experts compute, by destination
    std::vector<uint64_t> arrived;  //!< token vectors that arrive, by destination
    /// Rows of each expert of a GPU, by destination; only if the compute model reads shapes.
    std::vector<std::vector<uint32_t>> rows;
    // With token deduplication: tokens sent there for at least one expert.
    std::vector<uint32_t> copies;       //!< by source and destination
    std::vector<uint32_t> serverCopies; //!< by source and server
    // Set by a policy.
    CopyTraffic weights;
    CopyTraffic gradients;
    bool fetchesAgain{false}; //!< weights are fetched again before the backward pass
    bool isPlanned{false};    //!< a policy has planned for this dispatch
    TimePs planning{0};       //!< planning time
};

/// Figures of expert policies in the simulated iterations: means over plans. There is one plan per
/// group, layer and micro-batch.
struct ExpertFigures
{
    uint64_t plans{0};
    double before{0}; //!< max/mean load of GPUs with every expert at home
    double after{0};  //!< max/mean load of GPUs as planned
    double worst{0};  //!< largest max/mean load of a plan
    double local{0};  //!< share of token-expert pairs that stay on their GPU
    double skew{0};   //!< share of pairs between GPUs that deviates from a popularity common to all
                      //!< sources, with every expert at home (FindPairSkew())
    double dropped{0};    //!< share of token-expert pairs that no expert computes
    double copies{0};     //!< temporary replicas of a plan
    double planningS{0};  //!< planning seconds per iteration and group
    double moving{0};     //!< share of iterations with a new placement
    uint32_t lookBack{0}; //!< longest history that the policy has asked for, in iterations

    /// Maxima over GPUs of a stage, all layers of the GPU together.
    struct Held
    {
        uint64_t experts{0};    //!< experts of its placement
        uint64_t copies{0};     //!< temporary replicas at the same time
        uint64_t stateBytes{0}; //!< optimizer states of its experts, see DivideStates()
        uint64_t hosts{0};      //!< hosts of one expert
        uint64_t ofLayer{0};    //!< experts of its placement in one layer
    };

    std::vector<Held> held; //!< by stage; empty without a policy
    SlotFigures slots;      //!< of a GPU
};

/// Fills ExpertRouting::arrived with token deduplication. \param gpus number of GPUs of the group
void SumArrivals(ExpertRouting& routing, uint32_t gpus);

/// Gives the dispatch of a group's tokens in each layer and micro-batch. Results do not depend on
/// the order of calls. Iterations are numbered among the simulated ones (RunIterations).
class TokenDispatch
{
  public:
    TokenDispatch(const TrainingSpec& spec, const GpuPartition& groups);
    virtual ~TokenDispatch() = default;

    TokenDispatch(const TokenDispatch&) = delete;
    TokenDispatch& operator=(const TokenDispatch&) = delete;

    /**
     * \param group number of a group that is planned together
     * \param place iteration, layer and micro-batch; its group is ignored
     */
    virtual std::shared_ptr<const ExpertRouting> Get(uint32_t group,
                                                     const LoadPlace& place) const = 0;

    /// \return figures of all dispatches; call it after Get() for all of them
    virtual ExpertFigures GetFigures() const = 0;

    /// \return token counts of all hosts of the layer's experts in an iteration, by expert and GPU;
    ///     empty if the layer has no experts
    virtual std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const = 0;

  protected:
    const TrainingSpec& GetSpec() const
    {
        return m_spec;
    }

    const GpuPartition& GetGroups() const
    {
        return m_groups;
    }

    /**
     * Draws the load of one expert-parallel group.
     * \param part expert-parallel group within the group planned together
     * \param place iterations count all that loads see, warm-up included
     * \return tokens by source and expert
     */
    std::vector<uint32_t> Draw(uint32_t group, uint32_t part, LoadPlace place) const;

    /// \return the place of the load, whose group is numbered within the stage. \param place as for
    ///     Draw()
    LoadPlace Find(uint32_t group, uint32_t part, LoadPlace place) const;

  private:
    const TrainingSpec& m_spec;
    const GpuPartition& m_groups;
};

/// Dispatches every token to the home of its expert. Token counts are drawn on demand, and drawn
/// again after they leave the cache.
class DrawnDispatch : public TokenDispatch
{
  public:
    using TokenDispatch::TokenDispatch;

    std::shared_ptr<const ExpertRouting> Get(uint32_t group, const LoadPlace& place) const override;
    ExpertFigures GetFigures() const override;

    /// Draws all loads of the layer again: the cache holds no counts by expert.
    std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const override;

  private:
    std::shared_ptr<const ExpertRouting> Make(uint32_t group, const LoadPlace& place) const;
    void Count(uint32_t group, const LoadPlace& place, const ExpertRouting& routing) const;

    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    // Cache of recent dispatches, bounded in bytes.
    mutable std::map<Key, std::shared_ptr<const ExpertRouting>> m_known;
    mutable std::deque<Key> m_byAge;
    mutable Key m_latestKey; //!< key of m_latest, since callers repeat the same request
    mutable std::shared_ptr<const ExpertRouting> m_latest;
    mutable std::vector<bool> m_isCounted; //!< by iteration, layer, micro-batch and group
    mutable ExpertFigures m_sums;
};

} // namespace ns3::rails

#endif // TOKEN_DISPATCH_H
