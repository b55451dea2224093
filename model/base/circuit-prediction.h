// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_PREDICTION_H
#define CIRCUIT_PREDICTION_H

#include "ns3/object.h"

#include <vector>

namespace ns3::rails
{

/// Shares of the tokens that places (experts, or GPUs with all of theirs) had in two layers, one
/// behind the other, of the same micro-batch.
struct SeenLoads
{
    std::vector<double> before; //!< in the layer before; they add up to 1
    std::vector<double> here;   //!< as many; likewise
};

/// When circuits move for tokens that go forward, and where these are expected to go. (MixNet,
/// arXiv 2501.03905, appendix B)
class CircuitPrediction : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return true when circuits move behind the gate, and tokens wait for them; otherwise tokens
    /// take those that are there, and circuits move beside experts, for what comes back
    virtual bool WaitsForGate() const = 0;

    /// \return true when circuits also move beside attention, to where Predict() lets expect tokens
    virtual bool Foresees() const;

    /**
     * Asked only of one that Foresees().
     * \param seen loads of earlier micro-batches, the latest first
     * \param before shares in the layer before, now
     * \return shares in this layer: as many, which add up to 1
     */
    virtual std::vector<double> Predict(const std::vector<SeenLoads>& seen,
                                        const std::vector<double>& before) const;
};

} // namespace ns3::rails

#endif // CIRCUIT_PREDICTION_H
