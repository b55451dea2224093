// SPDX-License-Identifier: GPL-2.0-only
#ifndef DESTINATION_ROTATION_PATH_SELECTOR_H
#define DESTINATION_ROTATION_PATH_SELECTOR_H

#include "path-selector.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rails
{

/**
 * Host DR: each end of a queue pair sends its frames over all shortest paths in turn, by source
 * routes, from a random one on. (DRB, CoNEXT'13; arXiv 2507.21372, section 5)
 *
 * The paper has a pointer for each pair of source and destination host and size of frames. Here
 * each end of a queue pair has one: the sender's for data, the receiver's for answers. With one
 * queue pair from host to host that is the same.
 */
class DestinationRotationPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PathSelector> Fork() override;
    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;
    bool ScattersFrames() const override;
    PathSpread GetSpread() const override;
    bool RoutesReplies() const override;

  private:
    void ReadRoutes();

    PathContext m_context;
    const std::vector<Route>* m_routes{nullptr}; // the router's, as long as its version stays
    uint32_t m_version{0};                       // of the router when they were read
    std::size_t m_next{0};                       // the route of the next frame
};

} // namespace ns3::rails

#endif // DESTINATION_ROTATION_PATH_SELECTOR_H
