// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_PREDICTION_H
#define LOAD_PREDICTION_H

#include "ns3/circuit-prediction.h"

#include <vector>

namespace ns3::rails
{

/**
 * Foresees the loads of a layer from those of the layer before, as MixNet-Copilot does (arXiv
 * 2501.03905, appendix B.1): a matrix whose columns are not negative and add up to 1 leads from one
 * to the other, and is the one with the least squares of errors over what was seen; the latest
 * counts most. How many are seen, and by how much earlier ones count less, the paper does not say.
 * \param seen the latest first; each counts half as much as the one before it in the list
 * \param before shares in the layer before, now
 * \return shares in this layer; equal ones when nothing was seen
 */
std::vector<double> PredictLoads(const std::vector<SeenLoads>& seen,
                                 const std::vector<double>& before);

} // namespace ns3::rails

#endif // LOAD_PREDICTION_H
