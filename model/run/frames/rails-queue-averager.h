// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_QUEUE_AVERAGER_H
#define RAILS_QUEUE_AVERAGER_H

#include "ns3/rails-port.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * Mean length of every queue from the start to a time that is known only afterwards. Listens to
 * every change, and stores the area under the curve now and then. Between two stored areas, at most
 * 1/256 of the time, the area is interpolated linearly.
 */
class QueueAverager
{
  public:
    /// \param ports whose queues are recorded from now on
    explicit QueueAverager(const std::vector<Ptr<Port>>& ports);
    ~QueueAverager();
    QueueAverager(const QueueAverager&) = delete;
    QueueAverager& operator=(const QueueAverager&) = delete;

    /**
     * \param end a time that all nodes have reached
     * \return by port, the mean length of its queue in bytes from the start to `end`
     */
    std::vector<double> GetMeans(TimePs end);

  private:
    class Probe
    {
      public:
        Probe(Ptr<Port> port, TimePs start);
        void OnChange(Time now, uint64_t before, uint64_t after);
        double GetMean(TimePs end);
        void Disconnect();

      private:
        void Account(TimePs now);

        Ptr<Port> m_port;
        TimePs m_start;
        TimePs m_since;
        uint64_t m_bytes;
        double m_area{0};            // bytes times picoseconds
        TimePs m_step{1'000'000};    // between notes
        std::vector<double> m_notes; // areas at start + step, start + 2 * step, ...
    };

    std::deque<Probe> m_probes;
};

} // namespace ns3::rails

#endif // RAILS_QUEUE_AVERAGER_H
