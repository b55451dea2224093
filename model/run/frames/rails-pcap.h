// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PCAP_H
#define RAILS_PCAP_H

#include "ns3/frame-engine.h"
#include "ns3/pcap-file-wrapper.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3::rails
{

/**
 * Captures the frames that every NIC of a cluster sends and receives, a pcap file each, in a form
 * that protocol analysers dissect as RoCEv2. Only captures build ns-3 packets.
 */
class PcapRecorder
{
  public:
    /**
     * \param cluster whose NICs are captured from now on
     * \param folder where the files go: server0-nic0.pcap, ...
     */
    PcapRecorder(const FrameEngine& cluster, const std::string& folder);
    ~PcapRecorder();
    PcapRecorder(const PcapRecorder&) = delete;
    PcapRecorder& operator=(const PcapRecorder&) = delete;

  private:
    struct Capture
    {
        void OnFrame(Time now, const Frame& frame);

        Port* port;
        uint64_t mtu;
        Ptr<PcapFileWrapper> file;
    };

    std::deque<Capture> m_captures;
};

} // namespace ns3::rails

#endif // RAILS_PCAP_H
