// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"
#include "gpu-device.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

namespace ns3::rails
{

/**
 * `profile`: by the shapes of kernels and the data sheet of a GPU. A product takes the longer of
 * its operations, in whole waves of tiles, and its bytes (NVIDIA, Matrix Multiplication Background
 * User's Guide, DU-09799-001); core attention runs at its published rate; all other kernels are
 * bound by memory.
 */
class ProfileComputeModel : public ComputeModel
{
  public:
    /// In the order of GetGpuDevices().
    enum Device
    {
        H100,
        H200,
        H800,
        H20,
        B200,
        B300,
        GB200,
        GB300,
        MI300X,
        MI355X
    };

    static TypeId GetTypeId();

    ProfileComputeModel()
    {
        m_traits.readsShapes = true;
    }

    void Check(uint32_t gpus, Precision precision) const override;
    double GetPeak(Precision precision) const override;
    double GetLaunch() const override;
    std::string Describe(Precision precision) const override;

  private:
    double GetSeconds(const Work& work) const override;
    uint32_t GetOwnSms() const override;
    double FindProduct(const Product& product, Pass pass, bool isLow) const;
    static double CountCasts(const Product& product, Pass pass);
    double FindCore(const Work& work) const;
    const GpuDevice& GetDevice() const;

    Device m_device;
    double m_efficiency;
    bool m_graphs;
    std::optional<Time> m_launch;
};

NS_OBJECT_ENSURE_REGISTERED(ProfileComputeModel);

namespace
{

/// Results that a block of threads computes together: the most efficient of cuBLAS (NVIDIA,
/// DU-09799-001, section 2.3).
constexpr double kLongTile = 256;
constexpr double kShortTile = 128;

constexpr double kHighBytes = 2; // BF16
constexpr double kLowBytes = 1;  // FP8
/// A weight gradient is accumulated in FP32.
constexpr double kAddedBytes = 8;
/// Bytes that a cast to FP8 reads and writes: along rows and columns, since tensor cores take FP8
/// in one order only.
constexpr double kCastBytes = kHighBytes + 2 * kLowBytes;

/// Operations of core attention backward over forward: five products over two.
constexpr double kCoreBackward = 2.5;

/// Operations in a second of attention's core in BF16, 128 elements a head, on an H100.
/// (FlashAttention-3, arXiv 2407.08608, Fig. 5 with a causal mask and Fig. 6.)
struct CoreRate
{
    double sequence;
    double forward;
    double backward;
};

constexpr std::array<CoreRate, 6> kCoreRates{{{512, 292e12, 316e12},
                                              {1024, 423e12, 424e12},
                                              {2048, 521e12, 501e12},
                                              {4096, 579e12, 542e12},
                                              {8192, 602e12, 559e12},
                                              {16384, 616e12, 561e12}}};

/// \return rate for a sequence length, interpolated linearly over its logarithm
double
FindCoreRate(double sequence, bool isForward)
{
    const auto get = [&](const CoreRate& rate) { return isForward ? rate.forward : rate.backward; };
    const auto above =
        std::find_if(kCoreRates.begin(), kCoreRates.end(), [&](const CoreRate& rate) {
            return rate.sequence >= sequence;
        });
    if (above == kCoreRates.begin() || above == kCoreRates.end())
    {
        return get(above == kCoreRates.end() ? kCoreRates.back() : kCoreRates.front());
    }
    const CoreRate& below = *(above - 1);
    const double part = std::log2(sequence / below.sequence);
    return get(below) + part * (get(*above) - get(below));
}

double
CountTiles(double rows, double columns, double high, double wide)
{
    return std::ceil(rows / high) * std::ceil(columns / wide);
}

} // namespace

TypeId
ProfileComputeModel::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ProfileComputeModel").SetParent<ComputeModel>(),
            "Times from the shape of what is computed and a GPU's data sheet: products by "
            "their operations, in whole waves of tiles, or their bytes, whichever is longer; "
            "attention's core at its published rate; all else by its bytes.")
            .SetGroupName("Rails")
            .AddConstructor<ProfileComputeModel>()
            .AddAttribute("Device",
                          "The GPU: NVIDIA h100, h200, h800, h20, b200, b300, gb200, gb300, AMD "
                          "mi300x, mi355x. Its precision is that of the workload. (Data sheets, "
                          "dense.)",
                          EnumValue(H100),
                          MakeWordAccessor(&ProfileComputeModel::m_device),
                          MakeEnumChecker(H100,
                                          "h100",
                                          H200,
                                          "h200",
                                          H800,
                                          "h800",
                                          H20,
                                          "h20",
                                          B200,
                                          "b200",
                                          B300,
                                          "b300",
                                          GB200,
                                          "gb200",
                                          GB300,
                                          "gb300",
                                          MI300X,
                                          "mi300x",
                                          MI355X,
                                          "mi355x"))
            .AddAttribute("Efficiency",
                          "The part of the data sheet's peak and memory rate that is reached. Of "
                          "attention's core it is measured, and this does not count.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&ProfileComputeModel::m_efficiency),
                          MakeNumberRange(1e-6, 2))
            .AddAttribute("Graphs",
                          "Kernels are launched as graphs, so that no GPU waits for its host.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ProfileComputeModel::m_graphs),
                          MakeBooleanChecker())
            .AddAttribute("Launch",
                          "How long a host takes to launch a kernel; a layer takes as long as all "
                          "of its kernels at least, unless graphs. By default of the host of the "
                          "device: 13.48 us (Intel Xeon 8480C), of gb200 and gb300 37.08 us "
                          "(Grace). (A linear layer of PyTorch; github.com/NVIDIA/"
                          "TransformerEngine, issue 2053.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&ProfileComputeModel::m_launch),
                          MakeTimeRange(0));
    return tid;
}

void
ProfileComputeModel::Check(uint32_t gpus, Precision precision) const
{
    ComputeModel::Check(gpus, precision);
    if (precision == MXFP8 && !GetDevice().hasMicroscaling)
    {
        throw ConfigurationError("device",
                                 GetDevice().name +
                                     " does not multiply MXFP8: take b200 or a later one, mi355x, "
                                     "or precision: fp8-block");
    }
}

double
ProfileComputeModel::GetPeak(Precision precision) const
{
    return precision == BF16 ? GetDevice().bf16 : GetDevice().fp8;
}

double
ProfileComputeModel::GetLaunch() const
{
    const double launch = m_launch ? m_launch->GetSeconds() : GetDevice().launch;
    return m_graphs ? 0 : launch;
}

std::string
ProfileComputeModel::Describe(Precision precision) const
{
    const GpuDevice& device = GetDevice();
    constexpr double tera = 1e12;
    std::ostringstream text;
    text << "computing is that of " << device.name << " in "
         << (precision == BF16    ? "bf16"
             : precision == MXFP8 ? "mxfp8"
                                  : "fp8-block")
         << ": " << GetPeak(precision) / tera << " TFLOPS and " << device.memory / tera << " TB/s ("
         << device.source << ")";
    if (m_efficiency == 1)
    {
        text << ", all of which nobody reaches: set compute.efficiency";
    }
    else
    {
        text << ", of which " << m_efficiency << " is reached";
    }
    if (precision != BF16)
    {
        text << "; mfu is over the " << device.bf16 / tera
             << " TFLOPS of bf16, mfu_fp8 over those of "
             << "fp8";
    }
    return text.str();
}

uint32_t
ProfileComputeModel::GetOwnSms() const
{
    return GetDevice().sms;
}

const GpuDevice&
ProfileComputeModel::GetDevice() const
{
    return GetGpuDevices()[static_cast<std::size_t>(m_device)];
}

double
ProfileComputeModel::GetSeconds(const Work& work) const
{
    const double memory = GetDevice().memory * m_efficiency;
    if (work.part == Work::Part::Optimizer)
    {
        return work.bytes / memory;
    }
    double seconds = FindCore(work);
    // Without weights, the whole backward pass belongs to dgrad.
    double moved = work.moved * (work.pass == Pass::Forward   ? 1
                                 : work.pass == Pass::Weights ? 0
                                                              : 2);
    for (const Product& product : work.products)
    {
        const bool isLow = work.precision != BF16 && !product.isHigh;
        for (const Pass pass : {Pass::Forward, Pass::Inputs, Pass::Weights})
        {
            if (pass == work.pass || (work.pass == Pass::Backward && pass != Pass::Forward))
            {
                seconds += FindProduct(product, pass, isLow);
                moved += isLow ? CountCasts(product, pass) : 0;
            }
        }
    }
    return seconds + moved / memory;
}

/// \return seconds of all products of a kind in a single pass: forward, dgrad or wgrad
double
ProfileComputeModel::FindProduct(const Product& product, Pass pass, bool isLow) const
{
    const double sms = GetSms();
    double operations = 0;
    double read = 0;
    double written = 0;
    std::array<double, 2> tiles{}; // tall and wide tiles
    std::array<double, 2> steps{}; // steps of all tiles along the inner dimension
    for (const double rows : product.rows)
    {
        if (rows <= 0)
        {
            continue;
        }
        const bool isOfWeights = pass == Pass::Weights;
        const double high = isOfWeights ? product.inner : rows;
        const double wide = pass == Pass::Inputs ? product.inner : product.columns;
        const double deep = isOfWeights             ? rows
                            : pass == Pass::Forward ? product.inner
                                                    : product.columns;
        read += (high + wide) * deep;
        written += high * wide * (isOfWeights ? kAddedBytes : kHighBytes);
        const std::array<double, 2> counts{CountTiles(high, wide, kLongTile, kShortTile),
                                           CountTiles(high, wide, kShortTile, kLongTile)};
        for (std::size_t shape = 0; shape < tiles.size(); ++shape)
        {
            tiles[shape] += counts[shape];
            steps[shape] += counts[shape] * deep;
        }
    }
    for (std::size_t shape = 0; shape < tiles.size() && tiles[0] > 0; ++shape)
    {
        const double waves = std::ceil(tiles[shape] / sms) * sms / tiles[shape];
        const double those = 2 * kLongTile * kShortTile * steps[shape] * waves;
        operations = shape == 0 ? those : std::min(operations, those);
    }
    const double bytes = read * (isLow ? kLowBytes : kHighBytes) + written;
    return std::max(operations / (isLow ? GetDevice().fp8 : GetDevice().bf16),
                    bytes / GetDevice().memory) /
           m_efficiency;
}

/// \return bytes read and written by casts to FP8: of activations, then of their gradients
double
ProfileComputeModel::CountCasts(const Product& product, Pass pass)
{
    const double rows = product.CountRows();
    return pass == Pass::Forward  ? rows * product.inner * kCastBytes
           : pass == Pass::Inputs ? rows * product.columns * kCastBytes
                                  : 0;
}

double
ProfileComputeModel::FindCore(const Work& work) const
{
    if (work.core == 0 || work.pass == Pass::Weights)
    {
        return 0;
    }
    const bool isForward = work.pass == Pass::Forward;
    const double share = FindCoreRate(work.sequence, isForward) / GetGpuDevices().front().bf16;
    return work.core * (isForward ? 1 : kCoreBackward) / (share * GetDevice().bf16);
}

} // namespace ns3::rails
