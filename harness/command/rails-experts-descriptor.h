// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPERTS_DESCRIPTOR_H
#define RAILS_EXPERTS_DESCRIPTOR_H

#include "ns3/rails-descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What `./rails experts` is asked.
struct ExpertsQuestion
{
    std::string trace;              //!< file of recorded counts, or empty
    std::vector<std::string> loads; //!< w1, zipf, {type: ...}; none: the trace, or synthetic ones
    std::vector<std::string> policies; //!< types, or {type: ...}; none: all that can work there
    std::string model;                 //!< type of the model, {type: ...}, or empty
    /// Keys of the section `experts`, as model.top_k, with their values.
    std::vector<std::pair<std::string, uint32_t>> numbers;
    std::optional<uint32_t> slots; //!< of each policy that has some
    std::string budget;            //!< memory of a GPU for experts, which says them; or empty
    uint32_t seeds{1};             //!< how many are run
};

/// \return the names of loads that a question can have, besides components that are written out
std::vector<std::string> ListStudyLoads();

/**
 * \param path a key of studies, as experts.model.top_k
 * \param text a number for it
 * \return what is wrong with it, empty when nothing is
 */
std::string CheckStudyNumber(const std::string& path, const std::string& text);

/// A descriptor for a question.
struct ExpertsDescriptor
{
    std::string text;
    std::vector<std::string> notes; //!< what was left out, changed or taken for granted, and why
};

/**
 * \param question what is asked
 * \param check what a descriptor must pass
 * \throws DescriptorError when no policy can work there, and for what the trace lacks
 */
ExpertsDescriptor MakeExpertsDescriptor(const ExpertsQuestion& question,
                                        const ExperimentCheck& check);

} // namespace ns3::rails

#endif // RAILS_EXPERTS_DESCRIPTOR_H
