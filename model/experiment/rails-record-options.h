// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RECORD_OPTIONS_H
#define RAILS_RECORD_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::rails
{

/// What a run writes down besides its summary: the `record` section.
class RecordOptions : public Object
{
  public:
    static TypeId GetTypeId();

    bool m_queues{true};                    //!< queues.csv
    bool m_queueMeans{false};               //!< a column of links.csv
    bool m_messages{true};                  //!< messages.csv
    bool m_links{true};                     //!< links.csv
    bool m_explain{false};                  //!< what ports did and waited for
    bool m_punctual{false};                 //!< no node runs behind the simulator's time
    bool m_pcap{false};                     //!< a pcap file per NIC
    bool m_timeline{false};                 //!< timeline.json
    Time m_timelineResolution{Time::Max()}; //!< of the queues in it; Time::Max() for automatic
};

} // namespace ns3::rails

#endif // RAILS_RECORD_OPTIONS_H
