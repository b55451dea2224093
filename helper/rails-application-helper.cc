// SPDX-License-Identifier: GPL-2.0-only
#include "rails-application-helper.h"

#include "ns3/boolean.h"
#include "ns3/fabric-traits.h"
#include "ns3/rails-engine-choice.h"
#include "ns3/rails-error.h"
#include "ns3/rails-run-check.h"
#include "ns3/rails-streams.h"
#include "ns3/rails-warnings.h"

#include <filesystem>
#include <iostream>

namespace ns3::rails
{

namespace
{

/// \throws ConfigurationError unless what a run needs is there. \param remedy what to do
void
Require(bool isThere, const std::string& part, const std::string& remedy)
{
    if (!isThere)
    {
        throw ConfigurationError("", "a run without a " + part + ": " + remedy);
    }
}

/// Prints what works and is hardly ever meant, as `rails run` does for a descriptor.
void
Warn(const Wiring& wiring, const RunSettings& settings)
{
    for (const ExperimentWarning& warning :
         settings.engine->FindWarnings(settings, wiring, FindTraits(wiring)))
    {
        std::cerr << "warning: " << warning.key << ": " << warning.message << std::endl;
    }
}

} // namespace

void
RailsApplicationHelper::SetFailureAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_failures, name, value);
}

void
RailsApplicationHelper::SetOpticalAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_optical, name, value);
}

void
RailsApplicationHelper::SetWatchdogAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_watchdog, name, value);
}

void
RailsApplicationHelper::SetRecordAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_record, name, value);
}

void
RailsApplicationHelper::EnablePcap(const std::string& folder)
{
    Require(std::filesystem::is_directory(folder), "folder '" + folder + "'", "make it");
    m_record->SetAttribute("Pcap", BooleanValue(true));
    m_folder = folder;
}

int64_t
RailsApplicationHelper::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return kRunStreams;
}

std::unique_ptr<ClusterRun>
RailsApplicationHelper::Install(const RdmaHostHelper& hosts,
                                const std::shared_ptr<Wiring>& wiring) const
{
    Require(wiring != nullptr, "wiring", "give Install() what a topology helper's Lay() returns");
    Require(m_workload != nullptr, "workload", "call SetWorkload() before Install()");
    const RunSettings settings = MakeSettings(hosts);
    m_workload->AssignStreams(m_stream + kWorkloadStreams); // a check may draw
    CheckRun(*m_workload, *wiring, FindTraits(*wiring), settings);
    Warn(*wiring, settings);
    return std::make_unique<ClusterRun>(wiring, m_workload, settings);
}

std::unique_ptr<ClusterRun>
RailsApplicationHelper::Install(const RdmaHostHelper& hosts,
                                const std::shared_ptr<Wiring>& wiring,
                                std::shared_ptr<const GraphProgram> program) const
{
    Require(wiring != nullptr, "wiring", "give Install() what a topology helper's Lay() returns");
    Require(program != nullptr, "program", "give Install() a GraphProgram");
    const RunSettings settings = MakeSettings(hosts);
    CheckRun(*wiring, FindTraits(*wiring), settings);
    Warn(*wiring, settings);
    return std::make_unique<ClusterRun>(wiring, std::move(program), settings);
}

RunSettings
RailsApplicationHelper::MakeSettings(const RdmaHostHelper& hosts) const
{
    RunSettings settings = hosts.MakeSettings();
    settings.balancer = m_balancer;
    settings.failures = m_failures;
    settings.optical = m_optical;
    settings.watchdog = m_watchdog;
    settings.record = m_record;
    settings.folder = m_folder;
    settings.firstStream = m_stream;
    return settings;
}

} // namespace ns3::rails
