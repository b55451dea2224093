// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPUTE_MODEL_H
#define COMPUTE_MODEL_H

#include "element-bytes.h"

#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Pass of a training through a layer.
enum class Pass : uint8_t
{
    Forward,
    Backward, //!< dgrad and wgrad
    Inputs,   //!< dgrad: gradients of inputs only
    Weights   //!< wgrad: gradients of weights only
};

/// \return time of a pass over that of the forward pass, where no measurement says otherwise
inline double
GetTimes(Pass pass)
{
    return pass == Pass::Backward ? 2 : 1;
}

/// A grouped matrix product of the forward pass: each group multiplies rows x inner by inner x
/// columns.
struct Product
{
    std::vector<double> rows{}; //!< of each group, such as the tokens of each expert
    double inner{0};
    double columns{0};
    bool isHigh{false}; //!< computed in BF16, whatever the precision of the training

    /// \return rows of all groups
    double CountRows() const
    {
        return std::accumulate(rows.begin(), rows.end(), 0.0);
    }
};

/// One computation of a GPU.
struct Work
{
    enum class Part : uint8_t
    {
        Attention, //!< of a layer
        Gate,      //!< gate and permutation of tokens
        Experts,   //!< routed experts
        Shared,    //!< shared experts
        Dense,     //!< the feed-forward network of a layer without experts
        Head,      //!< logits and loss
        Optimizer  //!< the step of the optimizer
    };

    Part part{Part::Attention};
    double flops{0};  //!< floating-point operations of the forward pass
    double share{1};  //!< of the part's time, where attention is split
    double tokens{0}; //!< tokens of the GPU; for Experts, token-expert pairs
    double bytes{0};  //!< memory traffic of the optimizer: reads and writes
    double times{1};  //!< time over that of the forward pass: 2 backward

    // Shapes, set only for models whose ReadsShapes() is true.
    Pass pass{Pass::Forward};
    Precision precision{BF16};
    std::vector<Product> products{}; //!< matrix products with weights
    double core{0};                  //!< operations of core attention, forward pass
    double sequence{0};              //!< tokens of a sequence in core attention
    double moved{0}; //!< memory traffic of all other kernels, forward pass, in bytes
};

/// Computing time of GPUs: `compute` of a training.
class ComputeModel : public Object
{
  public:
    /// What holds for all objects of a class.
    struct Traits
    {
        bool readsShapes{false}; //!< it asks for the shape of what is computed
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    ComputeModel();

    /**
     * \param gpus number of GPUs of the cluster
     * \param precision of matrix products
     * \throws ConfigurationError with the key of an unsupported value
     */
    virtual void Check(uint32_t gpus, Precision precision) const;

    /**
     * \return time of a GPU in whole picoseconds, rounded up
     * \throws ConfigurationError when the time is more than a day
     */
    TimePs GetTime(const Work& work) const;

    /// Identifies a computation for the jitter: iteration, chunk of layers, micro-batch and number.
    using Moment = std::array<uint64_t, 4>;

    /// \return the time on a GPU, with its slowdown and its jitter
    TimePs Vary(uint32_t gpu, TimePs time, const Moment& moment) const;

    /// \return whether the time of a computation varies between repetitions
    bool Jitters() const;

    /// Draws the seed of the jitter; to be called before the first Vary().
    void Start();

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /// \return peak floating-point operations per second of a GPU in a precision; 0: unknown
    virtual double GetPeak(Precision precision) const;

    /// \return streaming multiprocessors of a GPU
    uint32_t GetSms() const;

    /// \return seconds that a host takes to launch a kernel; 0: not modelled
    virtual double GetLaunch() const;

    /// \return device or table behind the times of a precision, as text for results; may be empty
    virtual std::string Describe(Precision precision) const;

  protected:
    Traits m_traits; //!< set by constructors alone

  private:
    /// \return seconds of a computation, without slowdown and jitter
    virtual double GetSeconds(const Work& work) const = 0;

    /// \return streaming multiprocessors of the modelled GPU; 132 (H100) unless overridden
    virtual uint32_t GetOwnSms() const;

    uint32_t m_slowGpu;
    double m_slowFactor;
    std::optional<uint32_t> m_sms;
    double m_jitter;
    Ptr<UniformRandomVariable> m_random;
    uint64_t m_seed{0};
};

} // namespace ns3::rails

#endif // COMPUTE_MODEL_H
