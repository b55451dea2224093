// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_APPLICATION_HELPER_H
#define RAILS_APPLICATION_HELPER_H

#include "component-maker.h"
#include "rdma-host-helper.h"

#include "ns3/cluster-run.h"
#include "ns3/component-list.h"
#include "ns3/graph-program.h"
#include "ns3/planner.h"
#include "ns3/rails-wiring.h"
#include "ns3/rails-workload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Says what a cluster of either engine is to do, what fails meanwhile, and what is watched. Types
 * are names of classes, with or without "ns3::rails::", each followed by names and values of
 * attributes.
 *
 * \code
 * RailTopologyHelper topology;
 * RdmaHostHelper hosts;
 * RailsApplicationHelper application("RailsPlanner");
 * application.SetWorkload("RingWorkload", "Bytes", ByteSizeValue(ByteSize(64'000'000)));
 * const std::unique_ptr<ClusterRun> run = application.Install(hosts, topology.Lay());
 * run->Run();
 * \endcode
 */
class RailsApplicationHelper
{
  public:
    /// \param planner which NIC carries which piece, such as "RailsPlanner"
    template <typename... Attributes>
    explicit RailsApplicationHelper(const std::string& planner, const Attributes&... attributes)
        : m_planner(MakeComponent<Planner>(planner, attributes...))
    {
    }

    /// \param type what is to be done, such as "AllToAllWorkload"
    template <typename... Attributes>
    void SetWorkload(const std::string& type, const Attributes&... attributes)
    {
        m_workload = MakeComponent<Workload>(type, attributes...);
    }

    /// Something fails, comes back or slows down. The attributes are those of ScheduledFailure.
    template <typename... Attributes>
    void AddFailure(const Attributes&... attributes)
    {
        m_failing.push_back(MakeComponent<ScheduledFailure>("ScheduledFailure", attributes...));
        m_failures->SetAttribute("Schedule", ComponentListValue(m_failing));
    }

    /// \param name of an attribute of FailurePlan, such as "Convergence"
    void SetFailureAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of OpticalOptions: who gets circuits
    void SetOpticalAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of WatchdogOptions, such as "NoProgressAfter"
    void SetWatchdogAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of RecordOptions: what is recorded
    void SetRecordAttribute(const std::string& name, const AttributeValue& value);

    /// Captures what each NIC sends and receives. \param folder where the pcap files go
    void EnablePcap(const std::string& folder);

    /**
     * Fixes the random streams of what Install() makes; those of several runs in one simulation of
     * ns-3 must not overlap.
     * \param stream first stream to use
     * \return how many streams are used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * \param hosts how servers and switches work
     * \param wiring a new cluster
     * \return the cluster, ready to run the workload
     * \throws ConfigurationError when the parts do not fit each other, with the path that the
     * offending key has in a descriptor
     */
    std::unique_ptr<ClusterRun> Install(const RdmaHostHelper& hosts,
                                        const std::shared_ptr<Wiring>& wiring) const;

    /// The same for a program of one's own, in place of a workload.
    std::unique_ptr<ClusterRun> Install(const RdmaHostHelper& hosts,
                                        const std::shared_ptr<Wiring>& wiring,
                                        std::shared_ptr<const GraphProgram> program) const;

  private:
    RunSettings MakeSettings(const RdmaHostHelper& hosts) const;

    Ptr<Planner> m_planner;
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
