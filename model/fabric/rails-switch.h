// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SWITCH_H
#define RAILS_SWITCH_H

#include "port-selector.h"
#include "rails-agenda.h"
#include "rails-port.h"
#include "rails-shared-buffer.h"
#include "switch-profile.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * An output-queued switch with a shared buffer: finds the next hop of a frame, admits it to the
 * buffer, queues it at the output port, and pauses upstream ports when the buffer fills (PFC).
 * Aggregated to an ns-3 node.
 */
class Switch : public Object, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /**
     * \param node the ns-3 node of the switch
     * \param number among the switches, for addresses
     * \param name in messages ("rail0-leaf1", "spine3")
     * \param profile common settings of all switches
     * \param selector prototype of the port selector
     * \param pool takes back dropped frames
     */
    Switch(Ptr<Node> node,
           uint32_t number,
           std::string name,
           Ptr<const SwitchProfile> profile,
           Ptr<const PortSelector> selector,
           FramePool& pool);

    /**
     * Adds a port.
     * \param portClass "leaf_down", "leaf_up", "spine_down", ...
     * \param rateBps bit/s
     * \param delay propagation delay of the link at the port, for the headroom
     * \param largestFrame length in bytes of the largest frame, for the headroom
     * \throws ConfigurationError when the headroom of all ports exceeds the buffer
     */
    Port& AddPort(const std::string& portClass,
                  uint64_t rateBps,
                  TimePs delay,
                  uint32_t largestFrame);

    /// Switches congestion marking on.
    void EnableEcn();

    /**
     * Replaces the next hops to the NICs of another switch.
     * \param edge number of that switch
     * \param hops next hops; empty without a path
     */
    void SetNextHops(uint32_t edge, const NextHops& hops);

    /// Tells the port selector that all next hops are up to date.
    void TellRoutesChanged();

    /// \return the ports that lead to the NICs of another switch; empty without a path
    const NextHops& GetNextHops(uint32_t edge) const;

    /**
     * \param regions by edge switch, its part of the fabric (pod); must outlive the switch
     * \param hasNics whether NICs are attached to this switch
     */
    void SetRegions(const std::vector<uint32_t>& regions, bool hasNics);

    /// \return by edge switch, its part of the fabric (pod)
    const std::vector<uint32_t>& GetRegions() const;

    /// \return true when NICs are attached to this switch
    bool HasNics() const
    {
        return m_hasNics;
    }

    /// \return the present time at this switch
    TimePs Now() const;

    void Receive(Frame* frame, Port& port) override;
    void Departed(Port& port, uint32_t ingress, uint8_t trafficClass, uint32_t bytes) override;
    uint32_t GetPauseInForce(const Port& port, uint8_t trafficClass) const override;

    uint32_t GetNumber() const
    {
        return m_number;
    }

    const std::string& GetName() const
    {
        return m_name;
    }

    const std::vector<Ptr<Port>>& GetPorts() const;
    const Port& GetPort(uint16_t port) const;

    const SharedBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /// \return lossless frames dropped for lack of buffer; any drop breaks an invariant
    uint64_t GetLosslessDrops() const
    {
        return m_losslessDrops;
    }

    /// \return frames dropped without a path to their destination
    uint64_t GetUnroutable() const
    {
        return m_unroutable;
    }

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    void DoDispose() override;
    uint16_t FindPort(Frame& frame);
    SharedBuffer::Admission Admit(const Frame& frame, const Port& ingress, const Port& egress);
    void RefreshPauses();
    bool IsLossless(uint8_t trafficClass) const;

    Ptr<Node> m_node;
    uint32_t m_number;
    std::string m_name;
    Ptr<const SwitchProfile> m_profile;
    Ptr<PortSelector> m_selector;
    Ptr<EcnMarker> m_marker;
    FramePool& m_pool;
    Agenda m_agenda;
    SharedBuffer m_buffer;
    std::vector<Ptr<Port>> m_ports;

    // Next hops: destinations with equal next hops share a group.
    std::vector<uint32_t> m_groupOfEdge;
    std::deque<NextHops> m_groups; // the first has no ports
    const std::vector<uint32_t>* m_regions{nullptr};
    bool m_hasNics{false};
    bool m_observes; // PortSelector::Traits::observes

    // Pauses in force are repeated before their quanta run out.
    struct PauseSent
    {
        uint32_t port;
        uint8_t trafficClass;
        TimePs refreshAt;
    };

    std::vector<PauseSent> m_pausesSent;
    MemberTask<Switch, &Switch::RefreshPauses> m_refresh;
    uint64_t m_losslessDrops{0};
    uint64_t m_unroutable{0};
};

} // namespace ns3::rails

#endif // RAILS_SWITCH_H
