// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_LAYOUT_H
#define LAYER_LAYOUT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// How many layers each part of a model has, in the order of the model: a part is a chunk of layers
/// of a stage of a pipeline.
struct LayerLayout
{
    std::vector<uint32_t> layers; //!< of each part; none: all parts have as many
    uint32_t predictions{0};      //!< layers among them, behind the last, that predict more tokens
    bool countsEmbedding{false};  //!< as a layer of the first part, where all have as many
    bool countsLoss{false};       //!< head and loss as one of the last part, likewise

    /// \return what is dealt where all parts have as many. \param modelLayers of the whole model
    uint32_t CountDealt(uint32_t modelLayers) const;

    /// Adds layers that predict more tokens to the last part, unless the layout says where they
    /// are.
    void AddPredictions(uint32_t count);

    /**
     * \param part its number, of as many parts as there are
     * \param modelLayers of the whole model, predictions included
     * \return layers of a part, from the first up to before the second number
     */
    std::pair<uint32_t, uint32_t> GetLayers(uint32_t part,
                                            uint32_t parts,
                                            uint32_t modelLayers) const;

    /**
     * \param text "even", "even+embedding", "even+loss" or "even+embedding+loss"; a list,
     * "[3, 2, 2]"; or a layout as Megatron-LM writes it,
     * "Et|(tt|)*30mL": E stands for the embedding, t for a layer, m for one of multi-token
     * prediction, L for head and loss, | is between parts, *n repeats what is before it, commas
     * mean nothing
     * \throws std::invalid_argument when it is none of them
     */
    static LayerLayout Parse(const std::string& text);
};

} // namespace ns3::rails

#endif // LAYER_LAYOUT_H
