// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPUTE_MODEL_H
#define COMPUTE_MODEL_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// A piece of computing that a GPU does.
struct Work
{
    enum class Part : uint8_t
    {
        Attention, //!< of a layer
        Gate,      //!< and the permutation of tokens
        Experts,   //!< the routed ones
        Shared,    //!< experts that every token goes to
        Dense,     //!< the feed-forward network of a layer without experts
        Head,      //!< logits and loss
        Optimizer  //!< the step of the optimizer
    };

    Part part{Part::Attention};
    double flops{0};  //!< forward
    double share{1};  //!< of the part that this is: attention may come in pieces
    double tokens{0}; //!< of experts: pairs of a token and an expert
    double bytes{0};  //!< of the optimizer: what it reads and writes
    double times{1};  //!< how often as long it takes: 2 on the way back
};

/// How long GPUs compute: `compute` of a training.
class ComputeModel : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when it does not fit a cluster of so many GPUs
    void Check(uint32_t gpus) const;

    /**
     * \return how long a GPU takes, in whole picoseconds, rounded up
     * \throws ConfigurationError when that is more than a day
     */
    TimePs GetTime(const Work& work) const;

    /// \return a time of a GPU that may be slower than the others
    TimePs Slow(uint32_t gpu, TimePs time) const;

    /// \return floating-point operations that a GPU can do in a second; 0: it is not known
    virtual double GetPeak() const;

  private:
    /// \return seconds
    virtual double GetSeconds(const Work& work) const = 0;

    uint32_t m_slowGpu;
    double m_slowFactor;
};

/// `flops`: by the operations that a part needs
class FlopsComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();
    double GetPeak() const override;

  private:
    double GetSeconds(const Work& work) const override;

    double m_peak;
    double m_efficiency;
    DataRate m_memory;
};

/// `given`: by times that somebody has measured
class GivenComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();

  private:
    double GetSeconds(const Work& work) const override;

    Time m_attention;
    Time m_gate;
    Time m_expertToken;
    Time m_shared;
    Time m_dense;
    Time m_head;
    Time m_optimizer;
};

} // namespace ns3::rails

#endif // COMPUTE_MODEL_H
