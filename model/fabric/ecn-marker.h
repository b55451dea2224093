// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECN_MARKER_H
#define ECN_MARKER_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Marks data frames by the length of the queue they leave: never up to Kmin, with a probability
 * that grows to Pmax at Kmax, always beyond (DCQCN, SIGCOMM'15, section 3.1). With Kmin equal to
 * Kmax there is a single threshold. The `switch.ecn` component. A configured object is a prototype;
 * each switch has a marker from Fork().
 */
class EcnMarker : public Object
{
  public:
    static TypeId GetTypeId();
    EcnMarker();

    /// \return a marker with the same thresholds and a separate random stream
    Ptr<EcnMarker> Fork() const;

    /// \throws ConfigurationError when the thresholds contradict each other
    void Check() const;

    /**
     * \param queueBytes bytes in the queue, including the frame that leaves
     * \param rateBps rate of the port; the thresholds grow with it
     * \return true when the frame is to be marked
     */
    bool ShouldMark(uint64_t queueBytes, uint64_t rateBps);

    /**
     * Fixes the random stream.
     * \param stream stream to use
     * \return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    ByteSize m_kmin;
    ByteSize m_kmax;
    double m_pmax;
    DataRate m_referenceRate;
    Ptr<UniformRandomVariable> m_random;
};

} // namespace ns3::rails

#endif // ECN_MARKER_H
