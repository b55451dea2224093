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

/// Circuits that are dark during a reconfiguration of a region.
enum DarkPart
{
    DARK_REGION, //!< all circuits of the region (MixNet, arXiv 2501.03905, section 4.2)
    DARK_CHANGES //!< removed circuits; the others stay
};

/// When circuits of a region are reconfigured.
enum CircuitMoves
{
    MOVES_ALWAYS, //!< at every demand (MixNet, arXiv 2501.03905, section 7.1)
    MOVES_NEEDED  //!< unless the planned circuits are present, or the demand is empty
};

/**
 * Reconfigures the circuits of a wiring's regions. (MixNet, arXiv 2501.03905, section 4.2)
 *
 * Ports whose links are cut get no circuits. Callers must drain circuits before a reconfiguration;
 * the cut rules apply to frames that are still in flight.
 */
class CircuitController
{
  public:
    /// Totals so far. Two one-way circuits count as one full-duplex circuit.
    struct Record
    {
        uint64_t asked{0};            //!< number of demands
        uint64_t reconfigurations{0}; //!< number of reconfigurations
        uint64_t circuits{0};         //!< circuits present after each demand, summed over demands
        uint64_t moved{0};            //!< of these, new circuits
        uint64_t servedBytes{0};      //!< bytes of demands that take circuits
        uint64_t totalBytes{0};       //!< bytes of demands
        TimePs dark{0};               //!< dark time, summed over regions
    };

    /**
     * \param wiring with regions: optical switches
     * \param planner of the circuits
     * \param moves when circuits are reconfigured
     * \param darkPart circuits that are dark during a reconfiguration
     * \param rules for frames on removed circuits
     * \param sent payload sent by a NIC so far, to end time slots
     */
    CircuitController(std::shared_ptr<Wiring> wiring,
                      Ptr<CircuitPlanner> planner,
                      CircuitMoves moves,
                      DarkPart darkPart,
                      CutRules rules,
                      CircuitSequence::SentCallback sent = {});

    /// \param callback called when new circuits are ready
    void SetLiveCallback(std::function<void()> callback);

    /// Number of regions and of servers in each region: regions are alike.
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
     * \param ports number of ports of an optical switch
     * \throws ConfigurationError with the key, of the section `optical`, when the planner cannot
     * work in some region, or a switch has too few ports
     */
    static void Check(const Wiring& wiring, const CircuitPlanner& planner, uint32_t ports);

    /// \return the region of a server; empty for a server without circuits
    std::optional<uint32_t> FindRegion(uint32_t server) const;

    /// \return true when a server is in a region
    bool IsIn(uint32_t region, uint32_t server) const;

    /// \return index of a server in its region, which must exist
    uint32_t GetPlace(uint32_t server) const;

    /// \return an empty demand of the servers of a region
    CircuitDemand MakeDemand(uint32_t region) const;

    /// Times of a reconfiguration.
    struct Times
    {
        TimePs dark;    //!< the old circuits are removed, not before now
        TimePs live;    //!< the new circuits are ready; time-slotted: the first ones
        TimePs told{0}; //!< their servers know of them
        TimePs kept{0}; //!< servers with unchanged circuits know of that; time-slotted: all servers
                        //!< know, and send from then on
    };

    /// Lays the first circuits of all regions now. \param planner one that ignores demands
    void Lay(CircuitPlanner& planner);

    /**
     * Reconfigures a region.
     * \param region number of the region
     * \param demand future bytes between its servers
     * \param times of the reconfiguration
     * \param isForeseen whether the demand is a prediction; the record then ignores its bytes
     * \return by server of the region, whether it must wait because some of its circuits are dark
     * or new; time-slotted: never, as messages wait at the NIC
     */
    std::vector<bool> Reconfigure(uint32_t region,
                                  const CircuitDemand& demand,
                                  const Times& times,
                                  bool isForeseen = false);

    /// \return true while time-slotted circuits are dark in some region
    bool IsBetweenTurns() const;

    /// \return present full-duplex circuits on working links, of all regions
    uint64_t CountStanding() const;

    Record GetRecord() const;

  private:
    /// The servers of an optical switch.
    struct Region
    {
        uint32_t first{0};                       //!< its first server
        std::vector<std::vector<uint32_t>> nics; //!< by server of the region: NICs at the switch
        CircuitRegion plan;                      //!< input of planners
    };

    using NicPair = std::pair<uint32_t, uint32_t>;

    /// Changes from the present circuits of a region to the planned ones.
    struct Change
    {
        std::vector<uint32_t> ended; //!< NICs with removed circuits
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
    std::vector<std::unique_ptr<CircuitSequence>> m_sequences; //!< by region; empty unless
                                                               //!< time-slotted
    Record m_record;
    std::function<void()> m_onLive;
};

} // namespace ns3::rails

#endif // CIRCUIT_CONTROLLER_H
