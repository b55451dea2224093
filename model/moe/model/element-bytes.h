// SPDX-License-Identifier: GPL-2.0-only
#ifndef ELEMENT_BYTES_H
#define ELEMENT_BYTES_H

#include "ns3/object.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Numbers in which a training multiplies matrices.
enum Precision
{
    BF16,
    FP8_BLOCK, //!< scales for 1 x 128 elements of activations, and 128 x 128 of weights
    MXFP8      //!< scales for 32 elements
};

/// \return whole bytes
inline uint64_t
RoundBytes(double bytes)
{
    return static_cast<uint64_t>(std::llround(bytes));
}

/// Bytes of an element of what is sent, by kind; with scales, so that they need not be whole.
struct ElementBytes
{
    double dispatch{2}; //!< of tokens and gradients, to experts
    double combine{2};  //!< and back from them
    double tensor{2};
    double pipeline{2};
    double context{2};
    double gradients{4};  //!< of parameters
    double parameters{2}; //!< of replicas
};

/// `bytes` of a training: what is not given follows from its precision.
class TrainingBytes : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param precision of the training
     * \param element bytes of activations and parameters in BF16
     * \param gradient bytes of gradients of parameters
     */
    ElementBytes Get(Precision precision, double element, double gradient) const;

  private:
    std::optional<double> m_dispatch;
    std::optional<double> m_combine;
    std::optional<double> m_tensor;
    std::optional<double> m_pipeline;
    std::optional<double> m_context;
    std::optional<double> m_gradients;
    std::optional<double> m_parameters;
};

} // namespace ns3::rails

#endif // ELEMENT_BYTES_H
