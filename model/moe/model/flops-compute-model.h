// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOPS_COMPUTE_MODEL_H
#define FLOPS_COMPUTE_MODEL_H

#include "compute-model.h"

#include "ns3/data-rate.h"

namespace ns3::rails
{

/// `flops`: time is operations over a constant rate
class FlopsComputeModel : public ComputeModel
{
  public:
    static constexpr double kPeak = 989e12;    //!< default peak, operations per second
    static constexpr double kEfficiency = 0.5; //!< default share of the peak that a GPU achieves

    static TypeId GetTypeId();
    double GetPeak(Precision precision) const override;

  private:
    double GetSeconds(const Work& work) const override;

    double m_peak;
    double m_efficiency;
    DataRate m_memory;
};

} // namespace ns3::rails

#endif // FLOPS_COMPUTE_MODEL_H
