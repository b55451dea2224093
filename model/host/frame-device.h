// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_DEVICE_H
#define FRAME_DEVICE_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"

namespace ns3::rails
{

/**
 * The interface of ns-3's NetDevice for devices that move rails frames and carry no IP stack:
 * identity and addresses work, Send() is not supported.
 */
class FrameDevice : public NetDevice
{
  public:
    static TypeId GetTypeId();

    void SetIfIndex(const uint32_t index) override;

    uint32_t GetIfIndex() const override
    {
        return m_index;
    }

    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<Node> m_node;
    uint32_t m_index{0};
    uint16_t m_mtu{4096};
    Mac48Address m_address;
};

} // namespace ns3::rails

#endif // FRAME_DEVICE_H
