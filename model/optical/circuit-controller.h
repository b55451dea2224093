// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_CONTROLLER_H
#define CIRCUIT_CONTROLLER_H

#include "circuit-planner.h"

#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Moves the circuits of a wiring's regions: a region is dark, all of it, from the beginning of a
 * reconfiguration to its end. (MixNet, arXiv 2501.03905, section 4.2)
 *
 * Whoever calls it sees to it that nothing is under way over circuits of a region that goes dark.
 */
class CircuitController
{
  public:
    /// What has been done.
    struct Record
    {
        uint64_t reconfigurations{0};
        uint64_t circuits{0};    //!< of all of them together, full-duplex
        uint64_t servedBytes{0}; //!< of the demands, that circuits took
        uint64_t totalBytes{0};  //!< of the demands
        TimePs dark{0};          //!< of all regions together
    };

    /**
     * \param wiring with regions: optical switches
     * \param planner says which circuits there are
     * \param rules what becomes of what is on its way over a circuit that goes
     */
    CircuitController(std::shared_ptr<Wiring> wiring, Ptr<CircuitPlanner> planner, CutRules rules);

    /// \throws ConfigurationError with the key when a planner cannot work in some region
    static void Check(const Wiring& wiring, const CircuitPlanner& planner);

    /// \return the region of a server
    uint32_t FindRegion(uint32_t server) const;

    /// \return an empty demand of the servers of a region
    CircuitDemand MakeDemand(uint32_t region) const;

    /**
     * Gives a region other circuits.
     * \param region its number
     * \param demand what its servers will have for each other
     * \param dark when circuits go, not before now
     * \param live when the new ones are there
     */
    void Reconfigure(uint32_t region, const CircuitDemand& demand, TimePs dark, TimePs live);

    const Record& GetRecord() const;

  private:
    /// An optical switch.
    struct Region
    {
        uint32_t first{0};                       //!< its first server
        std::vector<std::vector<uint32_t>> nics; //!< by server of the region: those attached to it
        CircuitRegion plan;                      //!< as planners see it
    };

    static std::vector<Region> FindRegions(const Wiring& wiring);
    void GoDark(uint32_t region);
    void GoLive(uint32_t region, const CircuitMap& circuits);

    std::shared_ptr<Wiring> m_wiring;
    Ptr<CircuitPlanner> m_planner;
    CutRules m_rules;
    ClusterShape m_shape;
    std::vector<Region> m_regions;
    Record m_record;
};

} // namespace ns3::rails

#endif // CIRCUIT_CONTROLLER_H
