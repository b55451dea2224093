// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_LOAD_H
#define TOKEN_LOAD_H

#include "token-split.h"

#include "ns3/model-dimensions.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Load shape: sizes of the routing problem of an expert-parallel group in a layer.
struct LoadShape
{
    uint32_t sources{1};    //!< GPUs of the group
    uint32_t experts{1};    //!< routed experts of the layer
    uint32_t topK{1};       //!< different experts that a token goes to
    uint32_t tokens{1};     //!< tokens of each source
    uint32_t groups{1};     //!< groups of consecutive experts, of equal size
    uint32_t topGroups{1};  //!< most groups that the experts of a token may be in
    uint32_t firstLayer{0}; //!< first layer of the model with experts

    // Ranges for which loads are needed, from 0 on.
    uint32_t iterations{1};
    uint32_t layers{1}; //!< layers of the model with experts
    uint32_t microbatches{1};

    ModelDimensions::Balancing balancing{ModelDimensions::NO_BALANCING}; //!< of the training

    /// \return number of the group of an expert
    uint32_t GetGroup(uint32_t expert) const
    {
        return expert / (experts / groups);
    }
};

/// Place of a load in a training.
struct LoadPlace
{
    uint32_t iteration{0};
    uint32_t layer{0};
    uint32_t microbatch{0};
    uint32_t group{0}; //!< number of the expert-parallel group
};

/**
 * Token counts per expert: `load` of a training. Counts depend only on the seed of the run, the
 * arguments and the keys, not on the order of calls.
 */
class TokenLoad : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when the load does not support the shape
    virtual void Check(const LoadShape& shape) const;

    /// Draws the random seeds; to be called before the first Draw().
    virtual void Start();

    /// \return tokens by source and expert, rows of sources contiguous
    virtual std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const = 0;

    /**
     * Counts token copies after deduplication.
     * \param shape load shape
     * \param place when and where
     * \param counts result of Draw() for the same shape and place
     * \param split destination sets of tokens: GPUs or servers
     * \return tokens by source and set that go to at least one expert of the set
     */
    virtual std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                              const LoadPlace& place,
                                              const std::vector<uint32_t>& counts,
                                              const TokenSplit& split) const = 0;

    /// \return period of the counts within an iteration, in micro-batches; 0: no period
    virtual uint32_t GetCycle(const LoadShape& shape) const;

    /// \return period of the counts in iterations; 0: no period
    virtual uint32_t CountIterations() const;

    /// \return iteration of the training that iteration 0 stands for; nothing if loads belong to no
    ///     certain iteration
    virtual std::optional<uint32_t> GetFirstIteration() const;

    /// \return whether every expert of a layer gets equally many tokens from every GPU, up to
    ///     rounding
    virtual bool IsEven() const
    {
        return false;
    }

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // TOKEN_LOAD_H
