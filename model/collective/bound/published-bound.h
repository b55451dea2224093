// SPDX-License-Identifier: GPL-2.0-only
#ifndef PUBLISHED_BOUND_H
#define PUBLISHED_BOUND_H

#include "lower-bound.h"

#include "ns3/rails-units.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// \return frames of arXiv 2507.21372: RoCEv2 headers of 62 B, ACKs of 64 B, preamble and gap of 20
///     B
constexpr FrameFormat
MakePublishedFrames(uint64_t mtu)
{
    return {mtu, 62, 64, 20};
}

/// Fabric of the bound in arXiv 2507.21372: equal links, or two kinds of links.
struct PublishedBoundFabric
{
    uint32_t hops{0};    //!< H: links between the two hosts farthest apart; 0: the paper does not
                         //!< cover the fabric
    TimePs oneWay{0};    //!< propagation from host to host
    uint64_t rateBps{0}; //!< rate of all links, or of host links
    FrameFormat frames;
    double rho{1};          //!< share of the line rate at which hosts send, above 0 and at most 1
    uint64_t betweenBps{0}; //!< rate of the fastest link between switches; 0: as host links
};

/**
 * The completion time at the sender that "Load Balancing for AI Training Workloads" (arXiv
 * 2507.21372, appendix B) measures schemes by: what the hosts need if no frame ever waits in the
 * fabric. Frames are spaced T_d + T_g = d (data) and T_a + T_g = a (ACK) apart, T_g being preamble
 * and gap; p is the propagation of all H links, and a message has m frames.
 *
 * - Permutation: every host sends data alone until the first frame reaches it, at p + H T_d, which
 *   is during its own frame i1 = ceil((p + (H - 1) T_d) / d) + 1; from then on an ACK goes before
 *   each data frame: (m - 1) d + (m - i1) a + T_g + 2 p + H (T_d + T_a). With m <= i1 no ACK is
 *   sent before the last data frame: (m - 1) d + 2 p + H (T_d + T_a).
 * - Uniform all-to-all: (n - 1) m d + 2 p + H (T_d + T_a).
 *
 * Hosts that send at rho times the line rate start a data frame every D = d / rho. An ACK fits into
 * the gap if D >= d + a; if not, data and ACK take turns every d + a. So with i1 counted in D: (i1
 * - 1) D + (m - i1) max(D, d + a) + ..., with T_g only if ACKs delay data, and (n - 1) m D for
 *   all-to-all. That is our extension; the paper gives rho, and no formula.
 *
 * Where links between switches are faster than those of hosts, or all of them slower, frames take 2
 * T + (H - 2) T' for H T, with T' on the fastest of those links. That is ours, too: in the paper
 * all links are alike.
 *
 * A shorter last frame counts with its own length.
 *
 * \param schedule phases of the run
 * \param fabric the network
 * \return the time, rounded to a picosecond; nothing unless the schedule is one exchange at once,
 *     either a permutation of equal messages or a uniform all-to-all, between servers with one NIC
 *     each, on a fabric that the paper covers
 */
std::optional<TimePs> ComputePublishedBound(const WorkloadSchedule& schedule,
                                            const PublishedBoundFabric& fabric);

/**
 * \param fabric the fabric
 * \return i1: the data frame that a host sends when the first one reaches it, from 1
 */
uint64_t GetFirstAnswered(const PublishedBoundFabric& fabric);

} // namespace ns3::rails

#endif // PUBLISHED_BOUND_H
