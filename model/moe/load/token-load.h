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

/// What a group of expert parallelism has to route in a layer.
struct LoadShape
{
    uint32_t sources{1};    //!< GPUs of the group
    uint32_t experts{1};    //!< of the layer
    uint32_t topK{1};       //!< different experts that a token goes to
    uint32_t tokens{1};     //!< of each source
    uint32_t groups{1};     //!< of equal size that experts are in, by their numbers
    uint32_t topGroups{1};  //!< groups that the experts of a token are in, at most
    uint32_t firstLayer{0}; //!< of the model that has experts

    // For how many there are loads, from the first on.
    uint32_t iterations{1};
    uint32_t layers{1}; //!< of the model that have experts
    uint32_t microbatches{1};

    ModelDimensions::Balancing balancing{ModelDimensions::NO_BALANCING}; //!< of the training

    /// \return number of the group that an expert is in
    uint32_t GetGroup(uint32_t expert) const
    {
        return expert / (experts / groups);
    }
};

/// When and where.
struct LoadPlace
{
    uint32_t iteration{0};
    uint32_t layer{0};
    uint32_t microbatch{0};
    uint32_t group{0}; //!< number of the group
};

/**
 * How many tokens go to which expert: `load` of a training. Counts depend on nothing but the seed
 * of the run, what they are asked for, and the keys: not on the order of asking.
 */
class TokenLoad : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when it cannot route that
    virtual void Check(const LoadShape& shape) const;

    /// Draws what all counts depend on; before the first Draw().
    virtual void Start();

    /// \return tokens by source and expert, those of a source side by side
    virtual std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const = 0;

    /**
     * Counts tokens of which a copy serves several experts.
     * \param shape what is routed
     * \param place when and where
     * \param counts what Draw() returned for these
     * \param split where they go: to GPUs, or to servers
     * \return tokens by source and set that go to the set for at least one of their experts
     */
    virtual std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                              const LoadPlace& place,
                                              const std::vector<uint32_t>& counts,
                                              const TokenSplit& split) const = 0;

    /// \return micro-batches after which all counts of an iteration are as before; 0: never
    virtual uint32_t GetCycle(const LoadShape& shape) const;

    /// \return iterations after which all counts are as before; 0: never
    virtual uint32_t CountIterations() const;

    /// \return the iteration of the training that the first one here is; none where loads are of no
    /// certain one
    virtual std::optional<uint32_t> GetFirstIteration() const;

    /// \return whether all experts of a layer get as much from all GPUs, as far as that divides
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
