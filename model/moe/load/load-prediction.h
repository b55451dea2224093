// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_PREDICTION_H
#define LOAD_PREDICTION_H

#include "ns3/circuit-prediction.h"

#include <vector>

namespace ns3::rails
{

/**
 * Predicts the loads of a layer from the loads of the layer before, as MixNet-Copilot does (arXiv
 * 2501.03905, appendix B.1). The prediction is linear: its matrix has non-negative columns that sum
 * to 1, and the least squared error over past loads, weighted by age. The paper gives neither the
 * number of past loads nor the weights.
 * \param seen past loads, the latest first; each counts half as much as the entry before
 * \param before current shares of the layer before
 * \return predicted shares of this layer; equal shares without past loads
 */
std::vector<double> PredictLoads(const std::vector<SeenLoads>& seen,
                                 const std::vector<double>& before);

} // namespace ns3::rails

#endif // LOAD_PREDICTION_H
