// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPTICAL_SWITCH_H
#define OPTICAL_SWITCH_H

#include "rails-agenda.h"
#include "rails-port.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * An optical circuit switch: a frame leaves by the port at the other end of its circuit, in the
 * instant in which it arrives. The switch has no queues and reads no headers. Frames without a
 * circuit are lost, and so are frames whose circuit was reconfigured since they were sent. (MixNet,
 * arXiv 2501.03905, section 4.2)
 */
class OpticalSwitch : public Object, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /**
     * \param node the ns-3 node of the switch
     * \param number among the switches, for addresses
     * \param pool takes back lost frames
     */
    OpticalSwitch(Ptr<Node> node, uint32_t number, FramePool& pool);

    /**
     * Adds a port.
     * \param portClass "optical_down"
     * \param rateBps bit/s of the NIC at the port
     */
    Port& AddPort(const std::string& portClass, uint64_t rateBps);

    /**
     * Sets the output port for frames that arrive at a port. The node must have caught up to this
     * instant.
     * \param port number of the input port
     * \param other number of the output port; `port` itself for no circuit
     */
    void Lead(uint32_t port, uint32_t other);

    void Receive(Frame* frame, Port& port) override;

    const std::vector<Ptr<Port>>& GetPorts() const;

    /// \return frames lost without a circuit to their destination
    uint64_t GetLostFrames() const
    {
        return m_lostFrames;
    }

  private:
    void DoDispose() override;

    Ptr<Node> m_node;
    uint32_t m_number;
    FramePool& m_pool;
    Agenda m_agenda;
    std::vector<Ptr<Port>> m_ports;
    std::vector<uint32_t> m_others; // by input port: output port
    uint64_t m_lostFrames{0};
};

} // namespace ns3::rails

#endif // OPTICAL_SWITCH_H
