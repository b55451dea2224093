// SPDX-License-Identifier: GPL-2.0-only
#ifndef CUT_RULES_H
#define CUT_RULES_H

namespace ns3::rails
{

/// Fate of the frames of a link or circuit that is cut.
struct CutRules
{
    bool losesFlying{false}; //!< frames on the wire are lost; otherwise they still arrive
    bool holdsQueued{false}; //!< queued frames stay in their queue; otherwise they are lost
};

} // namespace ns3::rails

#endif // CUT_RULES_H
