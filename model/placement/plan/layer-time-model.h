// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_TIME_MODEL_H
#define LAYER_TIME_MODEL_H

#include "expert-plan.h"
#include "expert-setting.h"

#include <cstdint>

namespace ns3::rails
{

/// What the time model of Pro-Prophet is told of a cluster and of a layer with experts.
struct LayerRates
{
    uint32_t devices{1};       //!< D: GPUs that experts are spread over
    double bandwidth{1};       //!< B: bytes per second, in the mean, of any device to any other
    double inputsPerSecond{1}; //!< t: inputs that a device computes forward in a second
    double inputBytes{0};      //!< of an input on its way to its expert
    double parameterBytes{0};  //!< of an expert
    double gradientBytes{0};   //!< of an expert
    double otherForward{0};    //!< FNEC: seconds that the rest of the layer computes forward
    double otherBackward{0};   //!< BNEC: the same backward
};

/// What a layer has to do. An input is a pair of a token and an expert.
struct LayerWork
{
    uint64_t mostReceived{0}; //!< max R: inputs that a device gets from others, at most
    uint64_t mostComputed{0}; //!< max H: inputs that a device computes, at most
    uint32_t shadows{0};      //!< s: experts whose parameters are sent
    uint32_t excluded{0};     //!< n: devices that they are not sent to
};

/// Seconds of the operations of a layer in an iteration.
struct LayerTime
{
    double allToAll{0};        //!< T_A2A: one of four
    double forwardExperts{0};  //!< T_FEC
    double backwardExperts{0}; //!< T_BEC
    double parameters{0};      //!< T_Trans: parameters go out before experts compute
    double gradients{0};       //!< T_Agg: gradients come home after experts have computed backward
    double otherForward{0};    //!< T_FNEC
    double otherBackward{0};   //!< T_BNEC

    /// \return T_PTrans: what T_FEC and T_FNEC do not hide of the parameters
    double GetExposedParameters() const;
    /// \return T_PAgg: what T_BEC and T_BNEC do not hide of the gradients
    double GetExposedGradients() const;
    /// \return all-to-alls and experts, which both equations begin with
    double GetUnshadowed() const;
    /// \return eq. 6: nothing hides transfers
    double GetBlocking() const;
    /// \return eq. 8: transfers are scheduled under computation
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

    /// \return seconds of what a layer has to do
    LayerTime Evaluate(const LayerWork& work) const;

  private:
    LayerRates m_rates;
};

/**
 * \param setting of a policy
 * \param bandwidth bytes per second
 * \param flops floating-point operations that a GPU achieves in a second
 * \return what the model is told of it
 */
LayerRates MakeLayerRates(const ExpertSetting& setting, double bandwidth, double flops);

/**
 * \param gpus how many there are
 * \param plan in which all experts that are copied go to equally many GPUs
 * \return what the layer has to do
 */
LayerWork FindWork(uint32_t gpus, const ExpertPlan& plan);

/**
 * The one bandwidth of the time model, where none is given: bytes that a GPU sends over the time
 * that they take in an all-to-all in which every GPU sends the same to every other, those in its
 * server over NVLink and at the same time all others over its share of the NICs.
 * \return bytes per second; infinite for a single GPU
 */
double FindUniformBandwidth(const ClusterView& cluster);

/**
 * \param flops operations of a GPU per second that a model reckons with
 * \param bandwidth bytes per second that it reckons with
 * \throws ConfigurationError with the key `flops` or `bandwidth` unless they are above 0
 */
void CheckModelRates(double flops, double bandwidth);

} // namespace ns3::rails

#endif // LAYER_TIME_MODEL_H
