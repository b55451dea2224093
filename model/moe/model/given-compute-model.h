// SPDX-License-Identifier: GPL-2.0-only
#ifndef GIVEN_COMPUTE_MODEL_H
#define GIVEN_COMPUTE_MODEL_H

#include "compute-model.h"

#include "ns3/nstime.h"

namespace ns3::rails
{

/// `given`: by times that somebody has measured
class GivenComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();

  private:
    double GetSeconds(const Work& work) const override;
    double GetForward(const Work& work) const;

    Time m_attention;
    Time m_gate;
    Time m_expertToken;
    Time m_shared;
    Time m_dense;
    Time m_head;
    Time m_optimizer;
};

} // namespace ns3::rails

#endif // GIVEN_COMPUTE_MODEL_H
