// SPDX-License-Identifier: GPL-2.0-only
#include "frame-device.h"

#include "ns3/channel.h"
#include "ns3/node.h"
#include "ns3/packet.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FrameDevice);

TypeId
FrameDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::FrameDevice").SetParent<NetDevice>().SetGroupName("Rails");
    return tid;
}

void
FrameDevice::DoDispose()
{
    m_node = nullptr;
    NetDevice::DoDispose();
}

void
FrameDevice::SetIfIndex(const uint32_t index)
{
    m_index = index;
}

Ptr<Channel>
FrameDevice::GetChannel() const
{
    return nullptr;
}

void
FrameDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

bool
FrameDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

bool
FrameDevice::IsLinkUp() const
{
    return true;
}

void
FrameDevice::AddLinkChangeCallback(Callback<void>)
{
}

bool
FrameDevice::IsBroadcast() const
{
    return false;
}

Address
FrameDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FrameDevice::IsMulticast() const
{
    return false;
}

Address
FrameDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FrameDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FrameDevice::IsBridge() const
{
    return false;
}

bool
FrameDevice::IsPointToPoint() const
{
    return true;
}

bool
FrameDevice::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

bool
FrameDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
FrameDevice::GetNode() const
{
    return m_node;
}

void
FrameDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FrameDevice::NeedsArp() const
{
    return false;
}

void
FrameDevice::SetReceiveCallback(NetDevice::ReceiveCallback)
{
}

void
FrameDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback)
{
}

bool
FrameDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::rails
