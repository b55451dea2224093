// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WIRING_H
#define RAILS_WIRING_H

#include "circuit-table.h"
#include "cut-rules.h"
#include "server-interior.h"

#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Properties of links of one kind.
struct CableKind
{
    std::string lowerClass; //!< class of the ports nearer to the GPUs: "nic_tx", "leaf_up", ...
    std::string upperClass; //!< class of the upper ports: "leaf_down", "spine_down", ...
    uint64_t rateBps{0};    //!< as laid, each direction
    TimePs delay{0};        //!< propagation
    uint32_t cost{1};       //!< routing cost, at least 1
    double loss{0};         //!< probability of losing a frame, pause frames excepted
};

/// A link between a NIC and a switch, or between two switches.
struct Cable
{
    bool isNic{false};     //!< whether the lower end is a NIC, not a switch
    uint32_t lower{0};     //!< number of the NIC or switch nearer to the GPUs
    uint32_t upper{0};     //!< number of the switch at the other end
    uint16_t lowerPort{0}; //!< port of the lower switch; 0 for a NIC
    uint16_t upperPort{0}; //!< port of the upper switch
    uint32_t kind{0};      //!< see Wiring::GetKind()
    uint64_t rateBps{0};   //!< now, each direction
    bool isUp{true};       //!< false while the link is cut
};

/// A switch of a wiring.
struct WiredSwitch
{
    std::string name;               //!< in messages and descriptors: "rail0-leaf1", "spine3"
    uint32_t region{0};             //!< edge switches: the part of the fabric (pod)
    bool hasNics{false};            //!< whether NICs are attached to it
    std::vector<uint32_t> cables{}; //!< numbers of its links, by port
    bool isOptical{false};          //!< whether its NICs are joined only by circuits
    bool isRelay{false}; //!< whether it stands for a server that forwards messages of others
};

/// Next hops that replace the result of routing.
struct RouteOverride
{
    uint32_t at{0};   //!< number of a switch
    uint32_t edge{0}; //!< number of the destination, a switch with NICs
    /// Ports to the destination, in any order; the weight of a port is its number of occurrences.
    std::vector<uint16_t> ports;
};

/// Interface of objects that need to know of changes of a wiring.
class WiringListener
{
  public:
    virtual ~WiringListener() = default;

    /// Links are about to change in this instant: a listener that lags behind must catch up.
    virtual void BeforeChange() = 0;

    /**
     * A link was cut or repaired now.
     * \param cable number of the link
     * \param rules for frames on a link that was cut
     */
    virtual void OnCableUp(uint32_t cable, const CutRules& rules) = 0;

    /// The rate of a link changed now.
    virtual void OnCableRate(uint32_t cable) = 0;

    /**
     * The circuit of a NIC came or went now.
     * \param nic number of the NIC
     * \param rules for frames on a circuit that went
     */
    virtual void OnCircuit(uint32_t nic, const CutRules& rules) = 0;
};

/**
 * A cluster as data: servers with GPUs and NICs, switches, links. Topologies lay it; routing,
 * failures, bounds and checks are functions of it, and engines are built from it. GPU n of server s
 * is GPU s * gpusPerServer + n, and NIC n is NIC s * nicsPerServer + n. Switches are numbered in
 * the order of AddSwitch(), edge switches first. A NIC's link has the NIC's number; links between
 * switches follow in the order of Join().
 */
class Wiring
{
  public:
    /**
     * \param shape servers, GPUs and NICs
     * \param interior links between the GPUs and NICs of a server
     */
    Wiring(ClusterShape shape, std::shared_ptr<const ServerInterior> interior);

    Wiring(const Wiring&) = delete;
    Wiring& operator=(const Wiring&) = delete;

    // Laying.

    /**
     * Adds a switch. Switches with NICs must come first, so that their numbers are dense.
     * \param name in messages and descriptors
     * \return number of the switch
     */
    uint32_t AddSwitch(const std::string& name);

    /**
     * Attaches a NIC to a switch.
     * \param nic number of the NIC
     * \param edge number of the switch
     * \param region the part of the fabric (pod) of the switch
     * \param kind of the link; the class of the NIC's port is "nic_tx"
     * \throws ConfigurationError when the switch has too many ports
     */
    void Attach(uint32_t nic, uint32_t edge, uint32_t region, const CableKind& kind);

    /**
     * Joins two switches.
     * \param lower number of the switch nearer to the NICs
     * \param upper number of the other switch
     * \param kind of the links
     * \param parallel number of parallel links
     * \throws ConfigurationError when a switch has too many ports
     */
    void Join(uint32_t lower, uint32_t upper, const CableKind& kind, uint32_t parallel = 1);

    /// Makes a switch optical: its NICs reach each other only by circuits, and there are none at
    /// first.
    void MakeOptical(uint32_t at);

    /**
     * Makes a switch a relay: it stands for a server that forwards messages of other servers. Links
     * between two relays lead neither up nor down. Call it before Join(), which joins relays only
     * to relays.
     */
    void MakeRelay(uint32_t at);

    /// Changes the kind of a link, and sets its rate.
    void SetKind(uint32_t cable, const CableKind& kind);

    /**
     * Adds the latencies of devices to the delays of the links at their ends: all of a NIC's
     * latency, and half of a switch's, as a path through a switch has two of its links. Optical
     * switches and relays add nothing.
     * \param ofNic latency of a NIC, for a frame in one direction
     * \param ofSwitch latency of a switch
     */
    void AddLatencies(TimePs ofNic, TimePs ofSwitch);

    /// Replaces next hops.
    void Override(RouteOverride route);

    // What is there.

    const ClusterShape& GetShape() const
    {
        return m_shape;
    }

    const std::shared_ptr<const ServerInterior>& GetInterior() const
    {
        return m_interior;
    }

    const std::vector<WiredSwitch>& GetSwitches() const
    {
        return m_switches;
    }

    const std::vector<Cable>& GetCables() const
    {
        return m_cables;
    }

    const CableKind& GetKind(const Cable& cable) const;
    /// \return rates and latencies of servers for workloads, without paths between servers
    ClusterRates GetRates() const;

    /// \return the kind of the link between a NIC and its switch
    const CableKind& GetNicKind(uint32_t nic) const;

    const std::vector<RouteOverride>& GetOverrides() const
    {
        return m_overrides;
    }

    /// \return the numbers of the switches with NICs, in the order of their first Attach()
    const std::vector<uint32_t>& GetEdges() const
    {
        return m_edges;
    }

    /// \return the number of the switch of a NIC
    uint32_t GetEdge(uint32_t nic) const;

    /// \return the number of a switch by name; GetSwitches().size() for an unknown name
    uint32_t FindSwitch(const std::string& name) const;

    /// \return the number of a NIC by name; GetShape().GetNics() for an unknown name
    uint32_t FindNic(const std::string& name) const;

    /// \return the name of a NIC: "server3-nic2"
    std::string GetNicName(uint32_t nic) const;

    /// \return the names of the two ends of a link, the lower end first
    std::pair<std::string, std::string> GetEndNames(const Cable& cable) const;

    /// \return the numbers of the links between two switches, in the order of their ports
    std::vector<uint32_t> FindCables(uint32_t one, uint32_t other) const;

    // Changes. The state of a link holds for both directions.

    /// \param listener must be removed before it is destroyed
    void AddListener(WiringListener& listener);
    void RemoveListener(WiringListener& listener);

    /// Must be called before the changes of an instant: listeners catch up.
    void PrepareChange();

    /**
     * Cuts or repairs a link. Routing learns of it at its next convergence.
     * \param cable number of the link
     * \param up true to repair, false to cut
     * \param rules for frames on a link that is cut
     */
    void SetUp(uint32_t cable, bool up, const CutRules& rules);

    /// Sets the rate of a link, in bit/s.
    void SetRate(uint32_t cable, uint64_t rateBps);

    /// \return true when some link was cut at any time
    bool WasCut() const
    {
        return m_wasCut;
    }

    /// \return the present circuits between NICs of optical switches
    CircuitTable& GetCircuits();

    const CircuitTable& GetCircuits() const
    {
        return m_circuits;
    }

    /// \return the present rate of a circuit between two NICs, bit/s: the rate of the slower NIC
    uint64_t GetCircuitRate(uint32_t nic, uint32_t other) const;

    /// \return true when some switch is a relay
    bool HasRelays() const;

    /// \return true when some switch is optical
    bool HasOptical() const
    {
        return m_hasOptical;
    }

    /// \return true when a NIC is attached to an optical switch
    bool IsOptical(uint32_t nic) const;

    /// \return false for a link that is cut, and for the link of a NIC on an optical switch while
    /// the NIC has no circuit
    bool IsCarrying(uint32_t cable) const;

  private:
    uint32_t AddKind(const CableKind& kind);
    uint16_t AddPort(uint32_t at, uint32_t cable);

    ClusterShape m_shape;
    std::shared_ptr<const ServerInterior> m_interior;
    std::vector<CableKind> m_kinds;
    std::vector<Cable> m_cables;
    std::vector<WiredSwitch> m_switches;
    std::map<std::string, uint32_t> m_byName;
    std::vector<uint32_t> m_edges;
    std::vector<RouteOverride> m_overrides;
    std::vector<WiringListener*> m_listeners;
    bool m_wasCut{false};
    bool m_hasOptical{false};
    CircuitTable m_circuits;
};

} // namespace ns3::rails

#endif // RAILS_WIRING_H
