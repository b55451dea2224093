// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_HASH_H
#define ECMP_HASH_H

#include "next-hops.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * The hash by which a switch chooses among next hops (ECMP, RFC 2992). Its input is the two NICs,
 * the entropy of the queue pair and a salt of the switch; the salt prevents equal decisions of two
 * stages (hash polarisation). Both engines use it, and so see the same collisions.
 */
class EcmpHash
{
  public:
    /**
     * Draws the salt. Without it the salt is 0.
     * \param stream the random stream to draw from
     * \return how many streams were used: 1
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * \param sourceNic number of the NIC that sends
     * \param destinationNic number of the NIC that receives
     * \param entropy of the queue pair, or of one frame
     * \param hops ports that lead to the destination, at least one, after NextHops::CountWeights()
     * \return one of the ports, with a frequency proportional to its weight
     */
    uint16_t Choose(uint32_t sourceNic,
                    uint32_t destinationNic,
                    uint32_t entropy,
                    const NextHops& hops) const;

  private:
    uint64_t m_salt{0};
};

} // namespace ns3::rails

#endif // ECMP_HASH_H
