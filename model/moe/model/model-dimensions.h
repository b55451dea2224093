// SPDX-License-Identifier: GPL-2.0-only
#ifndef MODEL_DIMENSIONS_H
#define MODEL_DIMENSIONS_H

#include <cstdint>

namespace ns3::rails
{

/// Dimensions of a transformer with Mixture-of-Experts layers.
struct ModelDimensions
{
    /// What its training does for experts to have equal loads.
    enum Balancing
    {
        NO_BALANCING,
        BALANCING_LOSS,
        BALANCING_BIASES //!< in place of a loss
    };

    uint32_t layers{1};       //!< dense ones included, and those that predict more tokens
    uint32_t denseLayers{0};  //!< the first of them, which have no experts
    uint32_t mtpLayers{0};    //!< the last of them, which predict more tokens
    uint32_t hidden{1};       //!< elements of a token's vector
    uint32_t heads{1};        //!< of attention
    uint32_t kvHeads{1};      //!< heads of keys and values
    uint32_t headWidth{1};    //!< elements of a head, those of ropeWidth left out
    uint32_t ffn{0};          //!< intermediate width of a dense layer
    uint32_t experts{1};      //!< of a layer
    uint32_t topK{1};         //!< experts that a token goes to
    uint32_t expertGroups{1}; //!< of equal size, by the numbers of experts
    uint32_t topGroups{1};    //!< groups that the experts of a token are in, at most
    uint32_t expertFfn{1};    //!< intermediate width of an expert
    uint32_t sharedFfn{0};    //!< intermediate width of a layer's shared experts together
    uint32_t vocabulary{1};   //!< different tokens
    bool gated{true};         //!< feed-forward networks have three matrices, otherwise two
    Balancing balancing{NO_BALANCING};

    uint32_t expertHidden{0}; //!< elements of a token's vector at experts; 0: hidden
    uint32_t queryRank{0};    //!< of latent attention: width of compressed queries
    uint32_t kvRank{0};       //!< of latent attention: width of compressed keys and values
    uint32_t ropeWidth{0};    //!< of latent attention: elements of a head that carry the position

    /// \return elements of a token's vector at experts
    uint32_t GetExpertHidden() const;

    /// \return parameters of a layer's attention
    double GetAttentionParameters() const;

    /// \return multiplications of a layer for each pair of tokens of which one attends to the other
    double GetAttentionWidth() const;

    /// \return groups of which the experts of a token are in some alone; 1: no limit
    uint32_t GetLimitingGroups() const
    {
        return topGroups < expertGroups ? expertGroups : 1;
    }

    /**
     * \param tp GPUs that share the heads of a layer
     * \return elements of a token's keys and values in a layer that each of them is sent
     */
    double GetKvElements(uint32_t tp) const;

    /**
     * \param tp GPUs that share the heads of a layer
     * \param isProjected whether latent queries, keys and values are kept as they are projected for
     *     its heads, too; otherwise only compressed, as each GPU needs them whole
     * \return elements of a token's queries, keys, values and results in a layer that a GPU keeps
     */
    double GetKeptAttention(uint32_t tp, bool isProjected) const;

    /// \return parameters of a layer that project latent queries, keys and values; others: 0
    double GetProjectionParameters() const;

    /// \return parameters of a feed-forward network. \param width its outer width
    double GetFfnParameters(uint32_t width, uint32_t intermediate) const;

    /// \return whether a layer predicts a token more: it has a projection in front of it, and
    /// logits
    bool IsPrediction(uint32_t layer) const
    {
        return layer >= layers - mtpLayers;
    }

    /// \return parameters that project a token's vector and the next one's embedding to one vector
    double GetPredictionParameters() const;

    /// \return parameters of a layer without its routed experts. \param layer its number, from 0
    double GetDenseParameters(uint32_t layer) const;

    /// \return parameters of an expert
    double GetExpertParameters() const;

    /// \return parameters that a token meets, with the head and without the embedding
    double GetActiveParameters() const;

    /// \return all parameters, embedding and head included
    double GetParameters() const;
};

} // namespace ns3::rails

#endif // MODEL_DIMENSIONS_H
