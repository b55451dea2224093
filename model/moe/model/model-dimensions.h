// SPDX-License-Identifier: GPL-2.0-only
#ifndef MODEL_DIMENSIONS_H
#define MODEL_DIMENSIONS_H

#include <cstdint>

namespace ns3::rails
{

/// Dimensions of a transformer with Mixture-of-Experts layers.
struct ModelDimensions
{
    /// How the published training balances the loads of experts.
    enum Balancing
    {
        NO_BALANCING,
        BALANCING_LOSS,
        BALANCING_BIASES //!< in place of a loss
    };

    uint32_t layers{1};       //!< dense layers and multi-token prediction layers included
    uint32_t denseLayers{0};  //!< the first layers, which have no experts
    uint32_t mtpLayers{0};    //!< the last layers, for multi-token prediction
    uint32_t hidden{1};       //!< elements of a token's vector
    uint32_t heads{1};        //!< attention heads
    uint32_t kvHeads{1};      //!< heads of keys and values
    uint32_t headWidth{1};    //!< elements of a head, without ropeWidth
    uint32_t ffn{0};          //!< intermediate width of a dense layer
    uint32_t experts{1};      //!< routed experts of a layer
    uint32_t topK{1};         //!< experts that a token goes to
    uint32_t expertGroups{1}; //!< groups of consecutive experts, of equal size
    uint32_t topGroups{1};    //!< most groups that the experts of a token may be in
    uint32_t expertFfn{1};    //!< intermediate width of an expert
    uint32_t sharedFfn{0};    //!< intermediate width of a layer's shared experts together
    uint32_t vocabulary{1};   //!< size of the vocabulary
    bool gated{true};         //!< feed-forward networks have three matrices instead of two
    Balancing balancing{NO_BALANCING};

    uint32_t expertHidden{0}; //!< elements of a token's vector at routed experts; 0: hidden
    uint32_t queryRank{0};    //!< of latent attention: width of compressed queries
    uint32_t kvRank{0};       //!< of latent attention: width of compressed keys and values
    uint32_t ropeWidth{0};    //!< of latent attention: elements of a head that carry the position

    /// \return elements of a token's vector at experts
    uint32_t GetExpertHidden() const;

    /// \return parameters of a layer's attention
    double GetAttentionParameters() const;

    /// \return multiplications of core attention in a layer, per pair of tokens
    double GetAttentionWidth() const;

    /// \return expertGroups if they limit the routing, otherwise 1
    uint32_t GetLimitingGroups() const
    {
        return topGroups < expertGroups ? expertGroups : 1;
    }

    /**
     * \param tp tensor-parallel GPUs, which share the heads of a layer
     * \return elements of a token's keys and values that each of them receives in a layer
     */
    double GetKvElements(uint32_t tp) const;

    /**
     * \param tp tensor-parallel GPUs, which share the heads of a layer
     * \param isProjected whether a GPU also keeps latent queries, keys and values as projected for
     *     its heads; otherwise it keeps only the compressed ones, whole
     * \return elements of a token's queries, keys, values and attention results that a GPU keeps
     *     for the backward pass
     */
    double GetKeptAttention(uint32_t tp, bool isProjected) const;

    /// \return parameters of the projections of latent queries, keys and values of a layer; 0
    ///     without latent attention
    double GetProjectionParameters() const;

    /// \return parameters of a feed-forward network
    /// \param width elements of its input and output
    double GetFfnParameters(uint32_t width, uint32_t intermediate) const;

    /// \return whether a layer is for multi-token prediction: it has an input projection and logits
    bool IsPrediction(uint32_t layer) const
    {
        return layer >= layers - mtpLayers;
    }

    /// \return parameters of the input projection of a multi-token prediction layer
    double GetPredictionParameters() const;

    /// \return parameters of a layer without its routed experts
    /// \param layer from 0
    double GetDenseParameters(uint32_t layer) const;

    /// \return parameters of an expert
    double GetExpertParameters() const;

    /// \return parameters active for a token, with the head and without the embedding
    double GetActiveParameters() const;

    /// \return all parameters, embedding and head included
    double GetParameters() const;
};

} // namespace ns3::rails

#endif // MODEL_DIMENSIONS_H
