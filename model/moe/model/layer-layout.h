// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_LAYOUT_H
#define LAYER_LAYOUT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// How many layers each part of a model has, in the order of the model: a part is a chunk of layers
/// of a stage of a pipeline.
struct LayerLayout
{
    std::vector<uint32_t> layers; //!< of each part; none: all parts have as many
    uint32_t predictions{0};      //!< layers among them, behind the last, that predict more tokens

    /**
     * \param text "even"; a list, "[3, 2, 2]"; or a layout as Megatron-LM writes it,
     * "Et|(tt|)*30mL": E stands for the embedding, t for a layer, m for one of multi-token
     * prediction, L for head and loss, | is between parts, *n repeats what is before it, commas
     * mean nothing
     * \throws std::invalid_argument when it is none of them
     */
    static LayerLayout Parse(const std::string& text);
};

} // namespace ns3::rails

#endif // LAYER_LAYOUT_H
