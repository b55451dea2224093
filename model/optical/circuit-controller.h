// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_CONTROLLER_H
#define CIRCUIT_CONTROLLER_H

#include "circuit-planner.h"
#include "circuit-sequence.h"

#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What carries nothing while the circuits of a region move.
enum DarkPart
{
    DARK_REGION, //!< all circuits of the region (MixNet, arXiv 2501.03905, section 4.2)
    DARK_CHANGES //!< those that go; the others stay where they are
};

/// When circuits of a region move.
enum CircuitMoves
{
    MOVES_ALWAYS, //!< whenever it is asked (MixNet, arXiv 2501.03905, section 7.1)
    MOVES_NEEDED  //!< not when those that are planned are there, nor for nothing to send
};

/**
 * Moves the circuits of a wiring's regions. (MixNet, arXiv 2501.03905, section 4.2)
 *
 * Ports whose cables are cut get no circuits. Whoever calls it sees to it that nothing is under way
 * over circuits that go; otherwise it fares as the cut rules say.
 */
class CircuitController
{
  public:
    /// What has been done. Two circuits of one direction count as a full-duplex one.
    struct Record
    {
        uint64_t asked{0};            //!< how often there were demands
        uint64_t reconfigurations{0}; //!< how often circuits moved
        uint64_t circuits{0};    //!< there are behind all demands, of all together, full-duplex
        uint64_t moved{0};       //!< of these, that were not there before
        uint64_t servedBytes{0}; //!< of the demands, that circuits took
        uint64_t totalBytes{0};  //!< of the demands
        TimePs dark{0};          //!< of all regions together
    };

    /**
     * \param wiring with regions: optical switches
     * \param planner says which circuits there are
     * \param moves when circuits move
     * \param darkPart what carries nothing while circuits move
     * \param rules what becomes of what is on its way over a circuit that goes
     * \param sent says how much NICs have sent, which ends slots of circuits that take turns
     */
    CircuitController(std::shared_ptr<Wiring> wiring,
                      Ptr<CircuitPlanner> planner,
                      CircuitMoves moves,
                      DarkPart darkPart,
                      CutRules rules,
                      CircuitSequence::SentCallback sent = {});

    /// \param callback called when new circuits are there
    void SetLiveCallback(std::function<void()> callback);

    /// How many regions there are, and servers of each: they are alike.
    struct Extent
    {
        uint32_t regions;
        uint32_t servers;
    };

    /// \param wiring with regions
    static Extent FindExtent(const Wiring& wiring);

    /**
     * \param wiring with regions
     * \param planner of their circuits
     * \param ports of an optical switch
     * \throws ConfigurationError with the key, of the section `optical`, when the planner cannot
     * work in some region, or a switch has not as many ports as it needs
     */
    static void Check(const Wiring& wiring, const CircuitPlanner& planner, uint32_t ports);

    /// \return the region of a server; none of one without circuits
    std::optional<uint32_t> FindRegion(uint32_t server) const;

    /// \return true when a server is in a region
    bool IsIn(uint32_t region, uint32_t server) const;

    /// \return which of the servers of its region a server is, which is in one
    uint32_t GetPlace(uint32_t server) const;

    /// \return an empty demand of the servers of a region
    CircuitDemand MakeDemand(uint32_t region) const;

    /// When circuits that were asked for come and go.
    struct Times
    {
        TimePs dark;    //!< the old ones go, not before now
        TimePs live;    //!< the new ones are there; where they take turns, the first ones
        TimePs told{0}; //!< their servers know that
        TimePs kept{0}; //!< servers whose circuits stay know that; where circuits take turns, all
                        //!< servers, which send from then on
    };

    /// Gives all regions their first circuits, now. \param planner one that does not follow demands
    void Lay(CircuitPlanner& planner);

    /**
     * Gives a region other circuits.
     * \param region its number
     * \param demand what its servers will have for each other
     * \param times when
     * \param isForeseen whether the demand is only expected, and no part of the record's bytes
     * \return by server of the region, whether it has to wait for the new ones: some of its
     * circuits are dark or new; where they take turns nobody waits, but what is sent does
     */
    std::vector<bool> Reconfigure(uint32_t region,
                                  const CircuitDemand& demand,
                                  const Times& times,
                                  bool isForeseen = false);

    /// \return true while circuits that take turns are dark in some region
    bool IsBetweenTurns() const;

    /// \return circuits that are there and work, of all regions, full-duplex
    uint64_t CountStanding() const;

    Record GetRecord() const;

  private:
    /// An optical switch.
    struct Region
    {
        uint32_t first{0};                       //!< its first server
        std::vector<std::vector<uint32_t>> nics; //!< by server of the region: those attached to it
        CircuitRegion plan;                      //!< as planners see it
    };

    using NicPair = std::pair<uint32_t, uint32_t>;

    /// How circuits of a region come to be those that are wanted.
    struct Change
    {
        std::vector<uint32_t> ended; //!< NICs whose circuits go
        std::vector<NicPair> added;
    };

    static std::vector<Region> FindRegions(const Wiring& wiring);
    CircuitRegion DescribeWorking(const Region& region) const;
    CircuitDemand ServeCutOff(const Region& region, CircuitDemand demand) const;
    CircuitMap FindStanding(const Region& region) const;
    Change FindChange(const Region& region, const CircuitSlot& slot) const;
    void GoDark(const std::vector<uint32_t>& ended);
    void GoLive(const std::vector<NicPair>& added);

    std::shared_ptr<Wiring> m_wiring;
    Ptr<CircuitPlanner> m_planner;
    CircuitMoves m_moves;
    DarkPart m_darkPart;
    CutRules m_rules;
    ClusterShape m_shape;
    std::vector<Region> m_regions;
    std::vector<std::unique_ptr<CircuitSequence>> m_sequences; //!< by region, of circuits that
                                                               //!< take turns
    Record m_record;
    std::function<void()> m_onLive;
};

} // namespace ns3::rails

#endif // CIRCUIT_CONTROLLER_H
