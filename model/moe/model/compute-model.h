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

/// Which way through a model something is computed.
enum class Pass : uint8_t
{
    Forward,
    Backward, //!< gradients of inputs and of weights
    Inputs,   //!< the former alone
    Weights   //!< the latter alone
};

/// \return how often as long as forward it takes where nothing else is known
inline double
GetTimes(Pass pass)
{
    return pass == Pass::Backward ? 2 : 1;
}

/// Products of matrices that a GPU does at once: forward, rows x inner with inner x columns.
struct Product
{
    std::vector<double> rows{}; //!< of each: experts have tokens of their own
    double inner{0};
    double columns{0};
    bool isHigh{false}; //!< in BF16, whatever the precision

    /// \return those of all
    double CountRows() const
    {
        return std::accumulate(rows.begin(), rows.end(), 0.0);
    }
};

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
    double tokens{0}; //!< of the GPU; of experts: pairs of a token and an expert
    double bytes{0};  //!< of the optimizer: what it reads and writes
    double times{1};  //!< how often as long it takes: 2 on the way back

    // Its shape, where the model of computing asks for that.
    Pass pass{Pass::Forward};
    Precision precision{BF16};
    std::vector<Product> products{}; //!< with weights
    double core{0};                  //!< operations of attention's core, forward
    double sequence{0};              //!< tokens that it sees
    double moved{0};                 //!< bytes forward of all that is no product
};

/// How long GPUs compute: `compute` of a training.
class ComputeModel : public Object
{
  public:
    static TypeId GetTypeId();

    ComputeModel();

    /**
     * \param gpus of the cluster
     * \param precision of products
     * \throws ConfigurationError with the key when it does not fit
     */
    virtual void Check(uint32_t gpus, Precision precision) const;

    /**
     * \return how long a GPU takes, in whole picoseconds, rounded up
     * \throws ConfigurationError when that is more than a day
     */
    TimePs GetTime(const Work& work) const;

    /// When something is computed: an iteration, a chunk of layers, a micro-batch, and what it is.
    using Moment = std::array<uint64_t, 4>;

    /// \return a time as a GPU takes it, that may be slower than the others and jitters
    TimePs Vary(uint32_t gpu, TimePs time, const Moment& moment) const;

    /// \return whether the same takes another time when it is done again
    bool Jitters() const;

    /// Draws what all jitter depends on; before the first Vary().
    void Start();

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /// \return floating-point operations that a GPU can do in a second in a precision; 0: it is not
    /// known
    virtual double GetPeak(Precision precision) const;

    /// \return streaming multiprocessors of a GPU
    uint32_t GetSms() const;

    /// \return how long a host takes to launch a kernel, in seconds; 0: it does not matter
    virtual double GetLaunch() const;

    /// \return on what a precision is computed, for people; empty where nothing says it
    virtual std::string Describe(Precision precision) const;

    /// \return whether it asks for the shape of what is computed
    virtual bool ReadsShapes() const;

  private:
    /// \return seconds
    virtual double GetSeconds(const Work& work) const = 0;

    /// \return those of the GPU, unless somebody says otherwise
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
