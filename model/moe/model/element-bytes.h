// SPDX-License-Identifier: GPL-2.0-only
#ifndef ELEMENT_BYTES_H
#define ELEMENT_BYTES_H

#include "ns3/object.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Number format of matrix products.
enum Precision
{
    BF16,
    FP8_BLOCK, //!< one scale per 1 x 128 elements of activations and per 128 x 128 of weights
    MXFP8      //!< one scale per 32 elements
};

/// \return whole bytes
inline uint64_t
RoundBytes(double bytes)
{
    return static_cast<uint64_t>(std::llround(bytes));
}

/// Bytes per element of communicated tensors. Scales are included, so values may be fractions.
struct ElementBytes
{
    double dispatch{2}; //!< of tokens, and gradients of combine, sent to experts
    double combine{2};  //!< of tokens, and gradients of dispatch, sent back from experts
    double tensor{2};
    double pipeline{2};
    double context{2};
    double gradients{4};  //!< of gradients of parameters
    double parameters{2}; //!< of parameters that replicas gather
};

/// `bytes` of a training: bytes per element that are not given follow from the precision.
class TrainingBytes : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param precision of the training
     * \param element bytes of an element of activations and parameters in BF16
     * \param gradient bytes of an element of a gradient
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
