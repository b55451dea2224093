// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_APPLICATION_HELPER_H
#define RAILS_APPLICATION_HELPER_H

#include "component-maker.h"
#include "rdma-host-helper.h"

#include "ns3/balancer.h"
#include "ns3/cluster-run.h"
#include "ns3/component-list.h"
#include "ns3/graph-program.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Configures the workload, load balancer, failures and recorders of a cluster, for either engine.
 * Types are names of classes, with or without "ns3::rails::", each followed by names and values of
 * attributes.
 *
 * \code
 * RailTopologyHelper topology;
 * RdmaHostHelper hosts;
 * RailsApplicationHelper application("RailsBalancer");
 * application.SetWorkload("RingWorkload", "Bytes", ByteSizeValue(ByteSize(64'000'000)));
 * const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
 * run->Run();
 * \endcode
 */
class RailsApplicationHelper
{
  public:
    /// \param balancer type that assigns chunks to NICs, such as "RailsBalancer"
    template <typename... Attributes>
    explicit RailsApplicationHelper(const std::string& balancer, const Attributes&... attributes)
        : m_balancer(MakeComponent<Balancer>(balancer, attributes...))
    {
    }

    /// \param type such as "AllToAllWorkload"
    template <typename... Attributes>
    void SetWorkload(const std::string& type, const Attributes&... attributes)
    {
        m_workload = MakeComponent<Workload>(type, attributes...);
    }

    /// Adds a failure, recovery or slowdown, with attributes of ScheduledFailure.
    template <typename... Attributes>
    void AddFailure(const Attributes&... attributes)
    {
        m_failing.push_back(MakeComponent<ScheduledFailure>("ScheduledFailure", attributes...));
        m_failures->SetAttribute("Schedule", ComponentListValue(m_failing));
    }

    /// \param name of an attribute of FailurePlan, such as "Convergence"
    void SetFailureAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of OpticalOptions, which assign circuits
    void SetOpticalAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of WatchdogOptions, such as "NoProgressAfter"
    void SetWatchdogAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of RecordOptions
    void SetRecordAttribute(const std::string& name, const AttributeValue& value);

    /// Captures the traffic of each NIC.
    /// \param folder for the pcap files; it must be there
    void EnablePcap(const std::string& folder);

    /**
     * Fixes the random streams of the objects from Install(). Streams of several runs in one ns-3
     * simulation must not overlap.
     * \param stream first stream to use
     * \return number of streams
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * \param hosts settings of servers and switches
     * \param wiring a new cluster
     * \return the cluster, ready to run the workload
     * \throws ConfigurationError when the parts do not fit each other, with the descriptor path of
     * the offending key
     */
    std::unique_ptr<ClusterRun> Install(const RdmaHostHelper& hosts,
                                        const std::shared_ptr<Wiring>& wiring) const;

    /// Like Install() with a workload, but for a user-defined program.
    std::unique_ptr<ClusterRun> Install(const RdmaHostHelper& hosts,
                                        const std::shared_ptr<Wiring>& wiring,
                                        std::shared_ptr<const GraphProgram> program) const;

  private:
    RunSettings MakeSettings(const RdmaHostHelper& hosts) const;

    Ptr<Balancer> m_balancer;
    Ptr<Workload> m_workload;
    Ptr<FailurePlan> m_failures{CreateObject<FailurePlan>()};
    std::vector<Ptr<ScheduledFailure>> m_failing;
    Ptr<OpticalOptions> m_optical{CreateObject<OpticalOptions>()};
    Ptr<WatchdogOptions> m_watchdog{CreateObject<WatchdogOptions>()};
    Ptr<RecordOptions> m_record{CreateObject<RecordOptions>()};
    std::string m_folder;
    int64_t m_stream{0};
};

} // namespace ns3::rails

#endif // RAILS_APPLICATION_HELPER_H
