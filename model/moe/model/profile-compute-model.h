// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROFILE_COMPUTE_MODEL_H
#define PROFILE_COMPUTE_MODEL_H

#include "compute-model.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

struct GpuDevice;

/**
 * `profile`: by the shape of what is computed, and what the data sheet of a GPU says. A product
 * takes the longer of its operations, in whole waves of tiles, and its bytes (NVIDIA, Matrix
 * Multiplication Background User's Guide, DU-09799-001); attention's core goes at its published
 * rate; all else is bytes.
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

    void Check(uint32_t gpus, Precision precision) const override;
    double GetPeak(Precision precision) const override;
    double GetLaunch() const override;
    std::string Describe(Precision precision) const override;
    bool ReadsShapes() const override;

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

} // namespace ns3::rails

#endif // PROFILE_COMPUTE_MODEL_H
