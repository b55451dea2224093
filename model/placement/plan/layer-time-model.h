// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_TIME_MODEL_H
#define LAYER_TIME_MODEL_H

#include "expert-plan.h"
#include "expert-setting.h"

#include <cstdint>

namespace ns3::rails
{

/// Input of Pro-Prophet's time model: rates of a cluster and of a layer with experts.
struct LayerRates
{
    uint32_t devices{1};       //!< D: GPUs that experts are spread over
    double bandwidth{1};       //!< B: mean bytes per second between any two devices
    double inputsPerSecond{1}; //!< t: inputs per second of a device, forward
    double inputBytes{0};      //!< bytes of an input in an all-to-all
    double parameterBytes{0};  //!< parameters of an expert
    double gradientBytes{0};   //!< gradients of an expert
    double otherForward{0};    //!< FNEC: seconds of computing outside of experts, forward
    double otherBackward{0};   //!< BNEC: the same, backward
};

/// Work of a layer. An input is a token-expert pair.
struct LayerWork
{
    uint64_t mostReceived{0}; //!< max R: most inputs that a device receives from others
    uint64_t mostComputed{0}; //!< max H: most inputs that a device computes
    uint32_t shadows{0};      //!< s: shadowed experts
    uint32_t excluded{0};     //!< n: devices without shadows
};

/// Seconds of the operations of a layer in an iteration.
struct LayerTime
{
    double allToAll{0};        //!< T_A2A: one of four
    double forwardExperts{0};  //!< T_FEC
    double backwardExperts{0}; //!< T_BEC
    double parameters{0};      //!< T_Trans: parameters of shadows, sent before experts compute
    double gradients{0};       //!< T_Agg: gradients of shadows, sent after experts compute backward
    double otherForward{0};    //!< T_FNEC
    double otherBackward{0};   //!< T_BNEC

    /// \return T_PTrans: parameter time not hidden by T_FEC and T_FNEC
    double GetExposedParameters() const;
    /// \return T_PAgg: gradient time not hidden by T_BEC and T_BNEC
    double GetExposedGradients() const;
    /// \return all-to-alls and experts: the common part of both equations
    double GetUnshadowed() const;
    /// \return eq. 6: transfers are not hidden
    double GetBlocking() const;
    /// \return eq. 8: computing hides transfers
    double GetScheduled() const;
};

/**
 * Time model of Pro-Prophet (arXiv 2411.10003, eq. 1 to 6 and 8): one bandwidth for all links, no
 * latency. The rest of the layer is in neither equation: it is there to hide transfers.
 */
class LayerTimeModel
{
  public:
    explicit LayerTimeModel(const LayerRates& rates);

    /// \return times of a layer in seconds
    LayerTime Evaluate(const LayerWork& work) const;

  private:
    LayerRates m_rates;
};

/**
 * \param setting of a policy
 * \param bandwidth bytes per second
 * \param flops achieved floating-point operations per second of a GPU
 * \return input of the model
 */
LayerRates MakeLayerRates(const ExpertSetting& setting, double bandwidth, double flops);

/**
 * \param gpus number of GPUs
 * \param plan in which all shadowed experts have equally many shadows
 * \return work of the layer
 */
LayerWork FindWork(uint32_t gpus, const ExpertPlan& plan);

/**
 * Default bandwidth of the time model: bytes that a GPU sends over their time in a uniform
 * all-to-all. GPUs of its server are reached over NVLink, and at the same time all others over its
 * share of the NICs.
 * \return bytes per second; infinite for a single GPU
 */
double FindUniformBandwidth(const ClusterView& cluster);

/**
 * \param flops operations per second of a GPU in the model
 * \param bandwidth bytes per second in the model
 * \throws ConfigurationError with the key `flops` or `bandwidth` unless they are above 0
 */
void CheckModelRates(double flops, double bandwidth);

} // namespace ns3::rails

#endif // LAYER_TIME_MODEL_H
