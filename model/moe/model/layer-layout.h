// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_LAYOUT_H
#define LAYER_LAYOUT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Layers of each part of a model, in the order of the model. A part is a chunk of layers of a
/// pipeline stage.
struct LayerLayout
{
    std::vector<uint32_t> layers; //!< number per part; empty: all parts have equally many
    uint32_t predictions{0};      //!< multi-token prediction layers among them, at the end
    bool countsEmbedding{false};  //!< in an even layout, counts as a layer of the first part
    bool countsLoss{false}; //!< in an even layout, head and loss count as a layer of the last part

    /// \return layers that an even layout divides: without multi-token prediction, with embedding
    ///     and loss if they count
    /// \param modelLayers layers of the whole model
    uint32_t CountDealt(uint32_t modelLayers) const;

    /// Adds multi-token prediction layers to the last part, unless the layout places them.
    void AddPredictions(uint32_t count);

    /**
     * \param part from 0, less than `parts`
     * \param modelLayers layers of the whole model, multi-token prediction included
     * \return layers of a part: the first, and one past the last
     */
    std::pair<uint32_t, uint32_t> GetLayers(uint32_t part,
                                            uint32_t parts,
                                            uint32_t modelLayers) const;

    /**
     * \param text "even", "even+embedding", "even+loss" or "even+embedding+loss"; a list, "[3, 2,
     *     2]"; or a layout as Megatron-LM writes it, "Et|(tt|)*30mL": E stands for the embedding, t
     *     for a layer, m for one of multi-token prediction, L for head and loss, | is between
     *     parts, *n repeats the part before it, commas are ignored
     * \throws std::invalid_argument when it is none of these
     */
    static LayerLayout Parse(const std::string& text);
};

} // namespace ns3::rails

#endif // LAYER_LAYOUT_H
