// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_PREDICTION_H
#define CIRCUIT_PREDICTION_H

#include "ns3/object.h"

#include <vector>

namespace ns3::rails
{

/// Shares of the tokens in two successive layers of one micro-batch, by expert, or by GPU with all
/// its experts.
struct SeenLoads
{
    std::vector<double> before; //!< in the earlier layer; sum 1
    std::vector<double> here;   //!< in the later layer; same length, sum 1
};

/// When circuits are reconfigured for the dispatch of a forward pass, and for which predicted
/// loads. (MixNet, arXiv 2501.03905, appendix B)
class CircuitPrediction : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        /// Circuits are reconfigured after the gate, and tokens wait for them. If false, dispatch
        /// takes the present circuits; reconfiguration overlaps with the experts, for combine.
        bool waitsForGate{false};
        /// Circuits are also reconfigured during attention, for the loads of Predict().
        bool foresees{false};
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /**
     * Called only with Traits::foresees.
     * \param seen loads of earlier micro-batches, the latest first
     * \param before shares of this micro-batch in the layer before
     * \return shares in this layer: same length, sum 1
     */
    virtual std::vector<double> Predict(const std::vector<SeenLoads>& seen,
                                        const std::vector<double>& before) const;

  protected:
    Traits m_traits; //!< set by constructors alone
};

} // namespace ns3::rails

#endif // CIRCUIT_PREDICTION_H
