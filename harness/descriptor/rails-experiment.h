// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPERIMENT_H
#define RAILS_EXPERIMENT_H

#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// The input of one run: the objects of a descriptor, or of one point of its sweep.
struct Experiment
{
    std::string name;
    uint64_t seed{1}; //!< of all random numbers
    /// The component of each section ("topology", "switch", ...).
    std::map<std::string, Ptr<Object>> sections;
    /// Value of each axis of the sweep, by key; empty without a sweep.
    std::vector<std::pair<std::string, std::string>> axes;
    /// The user's labels of components and values, by key; no effect on the run.
    std::map<std::string, std::string> labels;
    /// The effective configuration: all keys with their values, as JSON, which is a valid
    /// descriptor. Paths are those of PublishPath().
    std::string resolvedConfig;
    /// resolvedConfig without the name and with sorted keys: equal for equal runs.
    std::string canonicalConfig;
    std::string key; //!< identifies its run, see RunKeys
    /// Folder for files written during the run (pcap, placement.csv), later the result's folder.
    std::string workFolder;

    /**
     * \tparam T class of the component
     * \param section key of the section
     * \return the component of the section
     */
    template <typename T>
    Ptr<T> Get(const std::string& section) const
    {
        return sections.at(section)->template GetObject<T>();
    }
};

} // namespace ns3::rails

#endif // RAILS_EXPERIMENT_H
