// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WIRING_H
#define RAILS_WIRING_H

#include "server-interior.h"

#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What cables of one kind have in common.
struct CableKind
{
    std::string lowerClass; //!< class of the ports nearer to the GPUs: "nic_tx", "leaf_up", ...
    std::string upperClass; //!< class of the others: "leaf_down", "spine_down", ...
    uint64_t rateBps{0};    //!< as laid, each direction
    TimePs delay{0};        //!< propagation
    uint32_t cost{1};       //!< what one counts on a path, at least 1
    double loss{0};         //!< probability that it loses a frame, pause frames excepted
};

/// A cable between a NIC and a switch, or between two switches.
struct Cable
{
    bool isNic{false};     //!< whether the lower end is a NIC, not a switch
    uint32_t lower{0};     //!< number of the NIC or switch that is nearer to the GPUs
    uint32_t upper{0};     //!< number of the switch at the other end
    uint16_t lowerPort{0}; //!< port of the lower switch; 0 of a NIC
    uint16_t upperPort{0}; //!< port of the upper switch
    uint32_t kind{0};      //!< see Wiring::GetKind()
    uint64_t rateBps{0};   //!< now, each direction
    bool isUp{true};       //!< whether it carries anything now
};

/// What becomes of what a cable carries when it is cut.
struct CutRules
{
    bool losesFlying{false}; //!< frames on the wire are lost; otherwise they still arrive
    bool holdsQueued{false}; //!< frames that wait stay where they are; otherwise they are lost
};

/// A switch of a wiring.
struct WiredSwitch
{
    std::string name;    //!< in messages and descriptors: "rail0-leaf1", "spine3"
    uint32_t region{0};  //!< of one with NICs, the part of the fabric (pod) it belongs to
    bool hasNics{false}; //!< whether NICs are attached to it
    std::vector<uint32_t> cables{}; //!< numbers of its cables, by port
    bool isOptical{false};          //!< whether circuits, and nothing else, join its NICs
    bool isRelay{false}; //!< whether it stands for a server that passes on what is for others
};

/// Next hops that replace those that routing finds.
struct RouteOverride
{
    uint32_t at{0};   //!< number of a switch
    uint32_t edge{0}; //!< number of the destination, a switch with NICs
    /// By which it is to be reached, in any order; one that is given twice has the weight 2.
    std::vector<uint16_t> ports;
};

/// Whoever has to know what changes in a wiring.
class WiringListener
{
  public:
    virtual ~WiringListener() = default;

    /// Cables are about to change in this instant: whoever lags behind catches up.
    virtual void BeforeChange() = 0;

    /**
     * A cable was cut or mended now.
     * \param cable its number
     * \param rules what becomes of what it carried, when it was cut
     */
    virtual void OnCableUp(uint32_t cable, const CutRules& rules) = 0;

    /// The rate of a cable changed now.
    virtual void OnCableRate(uint32_t cable) = 0;

    /**
     * The circuit of a NIC came or went now.
     * \param nic its number
     * \param rules what becomes of what was on its way over a circuit that went
     */
    virtual void OnCircuit(uint32_t nic, const CutRules& rules) = 0;
};

/**
 * A cluster as data: servers with GPUs and NICs, switches, cables. Topologies lay it; routing,
 * failures, bounds and checks are functions of it, and engines are built from it. GPU n of server s
 * is GPU s * gpusPerServer + n, and NIC n is NIC s * nicsPerServer + n; switches are numbered in
 * the order in which they were added, those with NICs first; a NIC's cable has the NIC's number,
 * cables between switches follow in the order in which they were laid.
 */
class Wiring
{
  public:
    /**
     * \param shape servers, GPUs and NICs
     * \param interior what joins the GPUs and NICs of a server
     */
    Wiring(ClusterShape shape, std::shared_ptr<const ServerInterior> interior);

    Wiring(const Wiring&) = delete;
    Wiring& operator=(const Wiring&) = delete;

    // Laying.

    /**
     * Adds a switch. Those with NICs come first, so that their numbers are dense.
     * \param name its name in messages and descriptors
     * \return its number
     */
    uint32_t AddSwitch(const std::string& name);

    /**
     * Attaches a NIC to a switch.
     * \param nic its number
     * \param edge number of the switch
     * \param region the part of the fabric (pod) that the switch belongs to
     * \param kind by what; the class of the NIC's port is "nic_tx"
     * \throws ConfigurationError when the switch has too many ports
     */
    void Attach(uint32_t nic, uint32_t edge, uint32_t region, const CableKind& kind);

    /**
     * Joins two switches.
     * \param lower number of the one nearer to the NICs
     * \param upper number of the other
     * \param kind by what
     * \param parallel by how many of them
     * \throws ConfigurationError when a switch has too many ports
     */
    void Join(uint32_t lower, uint32_t upper, const CableKind& kind, uint32_t parallel = 1);

    /// Makes a switch an optical one: its NICs reach each other by circuits, of which there are
    /// none at first, and nothing else.
    void MakeOptical(uint32_t at);

    /**
     * Makes a switch a relay: it stands for a server that passes on what is for others. Cables
     * between two relays lead neither up nor down, whichever end is named first. To be called
     * before Join(); relays are joined to relays alone.
     */
    void MakeRelay(uint32_t at);

    /// Makes a cable that is laid one of another kind.
    void SetKind(uint32_t cable, const CableKind& kind);

    /**
     * Adds to the delay of cables what the devices at their ends take: a cable has all of that of a
     * NIC, and half of that of a switch, which has another cable on every path through it. Optical
     * switches and relays take nothing.
     * \param ofNic that a NIC adds to a frame that leaves, or comes in
     * \param ofSwitch that a switch adds to a frame that it forwards
     */
    void AddLatencies(TimePs ofNic, TimePs ofSwitch);

    /// Replaces next hops.
    void Override(RouteOverride route);

    // What is there.

    const ClusterShape& GetShape() const;
    const std::shared_ptr<const ServerInterior>& GetInterior() const;
    const std::vector<WiredSwitch>& GetSwitches() const;
    const std::vector<Cable>& GetCables() const;
    const CableKind& GetKind(const Cable& cable) const;
    /// \return what a workload may know of servers
    ClusterRates GetRates() const;

    /// \return what attaches a NIC to its switch
    const CableKind& GetNicKind(uint32_t nic) const;
    const std::vector<RouteOverride>& GetOverrides() const;

    /// \return the numbers of the switches with NICs, in the order in which they got their first
    const std::vector<uint32_t>& GetEdges() const;

    /// \return the number of the switch that a NIC is attached to
    uint32_t GetEdge(uint32_t nic) const;

    /// \return the number of the switch of a name; none: GetSwitches().size()
    uint32_t FindSwitch(const std::string& name) const;

    /// \return the number of the NIC of a name; none: GetShape().GetNics()
    uint32_t FindNic(const std::string& name) const;

    /// \return the name of a NIC: "server3-nic2"
    std::string GetNicName(uint32_t nic) const;

    /// \return the names of the two ends of a cable, the lower first
    std::pair<std::string, std::string> GetEndNames(const Cable& cable) const;

    /// \return the numbers of the cables between two switches, in the order of their ports
    std::vector<uint32_t> FindCables(uint32_t one, uint32_t other) const;

    // What changes. The state of a cable is that of both directions.

    /// \param listener is told of changes; it must be removed before it ends
    void AddListener(WiringListener& listener);
    void RemoveListener(WiringListener& listener);

    /// To be called before the changes of an instant.
    void PrepareChange();

    /**
     * Cuts a cable or mends it. Routing does not hear of it before it converges.
     * \param cable its number
     * \param up whether it carries anything from now on
     * \param rules what becomes of what it carries, when it is cut
     */
    void SetUp(uint32_t cable, bool up, const CutRules& rules);

    /// Gives a cable another rate.
    void SetRate(uint32_t cable, uint64_t rateBps);

    /// \return true when some cable was cut once
    bool WasCut() const;

    /**
     * Joins two NICs of an optical switch by a circuit, which is full-duplex and as fast as they
     * are. Neither may have one.
     * \throws std::logic_error when they are not NICs of one optical switch, or have a circuit
     */
    void AddCircuit(uint32_t nic, uint32_t other);

    /**
     * Leads the light of a NIC of an optical switch to another, and not back: ACKs take the packet
     * fabric.
     * \throws std::logic_error when they are not two NICs of one optical switch, the light of the
     * first leads somewhere, or the other has light from somewhere
     */
    void Lead(uint32_t nic, uint32_t other);

    /**
     * Ends the circuit that a NIC sends by, if it has one; a full-duplex one ends both ways.
     * \param nic its number
     * \param rules what becomes of what is on its way over it
     */
    void EndCircuit(uint32_t nic, const CutRules& rules);

    /// \return the NIC that a circuit leads to; the NIC itself when it has none
    uint32_t GetCircuit(uint32_t nic) const;

    /// \return the rate of a circuit between two NICs now, bit/s: that of the slower one
    uint64_t GetCircuitRate(uint32_t nic, uint32_t other) const;

    /// \return the NIC whose circuit leads to one; the NIC itself when there is none
    uint32_t GetCircuitFrom(uint32_t nic) const;

    /// Says that circuits lead from each NIC to all others of its rail and its optical switch, one
    /// after the other: what is for them may be sent to it, and waits there.
    void TakeTurns();

    /// \return true when circuits take turns
    bool TakesTurns() const;

    /// \return true when some switch is a relay
    bool HasRelays() const;

    /// \return true when some switch is an optical one
    bool HasOptical() const;

    /// \return true when a NIC is attached to an optical switch
    bool IsOptical(uint32_t nic) const;

    /// \return false for a cable that is cut, and for that of a NIC of an optical switch while it
    /// has no circuit
    bool IsCarrying(uint32_t cable) const;

    /// \return false for two NICs of an optical switch while no circuit leads from one to the other
    bool MayJoin(uint32_t fromNic, uint32_t toNic) const;

    /// \return the same, but true where a circuit will lead when it is its turn
    bool WillJoin(uint32_t fromNic, uint32_t toNic) const;

    /// NICs of a server by which it passes something on.
    struct Detour
    {
        uint32_t in;
        uint32_t out;
    };

    /**
     * \param fromNic a NIC of an optical switch, or of none
     * \param toNic the other one of the two
     * \return the server at the other end of the circuit, which passes on what the two have for
     * each other over the packet fabric, by its NIC of the same rail; none without a circuit
     */
    std::optional<Detour> FindDetour(uint32_t fromNic, uint32_t toNic) const;

  private:
    void CheckCircuit(uint32_t nic, uint32_t other, bool isFree) const;
    void SetCircuit(uint32_t nic, uint32_t other, const CutRules& rules);
    void TellOfCircuit(uint32_t nic, const CutRules& rules);
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
    std::vector<uint32_t> m_circuits; //!< by NIC: where its light leads; empty without any switch
                                      //!< that is optical
    std::vector<uint32_t> m_sources;  //!< likewise: where its light comes from
    bool m_takesTurns{false};
};

} // namespace ns3::rails

#endif // RAILS_WIRING_H
