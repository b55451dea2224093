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

/// Everything that one run needs to know: a descriptor, or one point of its sweep, made into
/// objects.
struct Experiment
{
    std::string name;
    uint64_t seed{1}; //!< all random numbers follow from it
    /// The components by section ("topology", "switch", ...); every section has one.
    std::map<std::string, Ptr<Object>> sections;
    /// Value of each axis of the sweep, by key; empty without a sweep.
    std::vector<std::pair<std::string, std::string>> axes;
    /// What the user calls components and values, by key; it changes nothing.
    std::map<std::string, std::string> labels;
    /// The effective configuration: all keys with their values, as JSON that is a descriptor too.
    std::string effective;
    /// The same without the name and with keys by the alphabet: equal for equal runs.
    std::string identity;
    std::string key; //!< what a run of it is known by, see RunKeys
    /// Folder for files that are written during the run (pcap, placement.csv); it becomes the
    /// result's folder.
    std::string workFolder;
    unsigned threads{1}; //!< of its run, unless it says how many

    /**
     * \tparam T class of the section
     * \param section its key
     * \return its component
     */
    template <typename T>
    Ptr<T> Get(const std::string& section) const
    {
        return sections.at(section)->template GetObject<T>();
    }
};

} // namespace ns3::rails

#endif // RAILS_EXPERIMENT_H
