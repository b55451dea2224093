// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRESSIVE_FILLING_H
#define PROGRESSIVE_FILLING_H

#include "level-heap.h"
#include "sharing-graph.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Gives classes of flows their max-min fair rates in what others leave to them: the rates of all
 * these classes rise together, and when a resource is full, those that use it stop there. Whether
 * the others still have what they should have is not its business.
 */
class ProgressiveFilling
{
  public:
    /// A resource of which at most this part is left when a level is reached is full at that level,
    /// so that the resources of symmetric traffic fill at the same one.
    static constexpr double kTie = 1e-13;

    /// \param graph whose classes get their rates here
    explicit ProgressiveFilling(SharingGraph& graph);

    /// The classes that were filled up to now are candidates no longer.
    void Forget();

    /**
     * Fills some classes, which are candidates from now on of what they use.
     * \param classes to be filled; all others stay as they are
     * \param resources that these use, and no others that a candidate uses
     */
    void Fill(const std::vector<uint32_t>& classes, const std::vector<uint32_t>& resources);

    /// Fills all classes. \param resources all of them
    void FillAll(const std::vector<uint32_t>& resources);

    /// Calls a function with the classes that use a resource and were filled since Forget().
    template <typename Function>
    void ForEachCandidate(uint32_t resource, Function function) const
    {
        for (uint32_t candidate = m_graph.GetFilling(resource).first; candidate != kNone;)
        {
            const Candidate& called = m_candidates[candidate];
            function(called.member);
            candidate = called.next;
        }
    }

    /// \return whether all classes that use a resource are candidates
    bool AreAllCandidates(uint32_t resource) const;

  private:
    using Member = SharingGraph::Member;
    using Incidence = SharingGraph::Incidence;
    using FlowClass = SharingGraph::FlowClass;
    using Filling = SharingGraph::Filling;
    static constexpr uint32_t kNone = SharingGraph::kNone;

    /// A class that was filled uses a resource.
    struct Candidate
    {
        Member member;
        uint32_t next;
    };

    void Open(const std::vector<uint32_t>& classes, const std::vector<uint32_t>& resources);
    void OpenAll();
    void RaiseLevels(const std::vector<uint32_t>& resources);
    void StopAt(uint32_t resource, double level);
    void StopClass(const Member& member, double level);

    SharingGraph& m_graph;
    std::vector<Candidate> m_candidates;
    LevelHeap m_levels;
};

} // namespace ns3::rails

#endif // PROGRESSIVE_FILLING_H
