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
 * An optical circuit switch: what comes in at a port leaves by the one that a circuit joins it to,
 * in the same instant, as light does. It has no queues and reads no headers; what comes in without
 * a circuit, or by one that leads elsewhere since it was sent, is lost. (MixNet, arXiv 2501.03905,
 * section 4.2)
 */
class OpticalSwitch : public Object, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /**
     * \param node the ns-3 node that it is aggregated to
     * \param pool frames
     */
    OpticalSwitch(Ptr<Node> node, FramePool& pool);

    /**
     * Adds a port.
     * \param portClass "optical_down"
     * \param rateBps bit/s of the NIC that it will be joined to
     */
    Port& AddPort(const std::string& portClass, uint64_t rateBps);

    /**
     * Leads what comes in at a port out by another; the node must have been brought up to this
     * instant.
     * \param port its number
     * \param other that of the other; its own when there is no circuit any more
     */
    void Lead(uint32_t port, uint32_t other);

    void Receive(Frame* frame, Port& port) override;

    const std::vector<Ptr<Port>>& GetPorts() const;
    /// \return frames that came in at a port without a circuit to where they were to go
    uint64_t GetLostFrames() const;

  private:
    void DoDispose() override;

    Ptr<Node> m_node;
    FramePool& m_pool;
    Agenda m_agenda;
    std::vector<Ptr<Port>> m_ports;
    std::vector<uint32_t> m_others; // by port: where it leads
    uint64_t m_lostFrames{0};
};

} // namespace ns3::rails

#endif // OPTICAL_SWITCH_H
