// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_QUEUE_RECORDER_H
#define RAILS_QUEUE_RECORDER_H

#include "ns3/engine-record.h"
#include "ns3/rails-port.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Distribution of queue lengths over time, by class of port. Listens to every change and weights
 * each length by its duration, so the distribution is exact up to the width of its bins (an eighth
 * of an octave).
 */
class QueueRecorder
{
  public:
    /// \param ports whose queues are recorded from now on
    explicit QueueRecorder(const std::vector<Ptr<Port>>& ports);
    ~QueueRecorder();
    QueueRecorder(const QueueRecorder&) = delete;
    QueueRecorder& operator=(const QueueRecorder&) = delete;

    /// \return the distributions up to now
    std::vector<QueueBin> Collect();

  private:
    static constexpr uint32_t kStepsLog2 = 3; // bins per octave
    static constexpr uint32_t kBins = 64 << kStepsLog2;
    using Histogram = std::array<TimePs, kBins>;

    // Queue of one port.
    struct Probe : QueueListener
    {
        void OnQueueBytes(TimePs now, uint64_t after) override;
        void Account(TimePs now);

        Port* port{nullptr};
        Histogram* histogram{nullptr};
        uint64_t bytes{0};
        TimePs since{0};
    };

    static uint32_t GetBin(uint64_t bytes);
    static uint64_t GetLowerEdge(uint32_t bin);

    std::map<std::string, Histogram> m_histograms;
    std::deque<Probe> m_probes;
};

} // namespace ns3::rails

#endif // RAILS_QUEUE_RECORDER_H
