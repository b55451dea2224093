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

/// The options of `./rails experts`.
struct ExpertsOptions
{
    std::string trace;              //!< file of recorded token counts, or empty
    std::vector<std::string> loads; //!< w1, zipf, {type: ...}; none: the trace, or synthetic ones
    std::vector<std::string> policies; //!< types, or {type: ...}; none: all that can run there
    std::string model;                 //!< type of the model, {type: ...}, or empty
    /// Values by key of the section `experts`, such as model.top_k.
    std::vector<std::pair<std::string, uint32_t>> numbers;
    std::optional<uint32_t> slots; //!< expert slots of a GPU, for each policy that has them
    std::string budget;            //!< memory of a GPU for experts (sets the slots), or empty
    uint32_t seeds{1};             //!< number of seeds to run
};

/// \return the names that `loads` may contain, besides components in the form {type: ...}
std::vector<std::string> ListStudyLoads();

/**
 * \param path a key of studies, such as experts.model.top_k
 * \param text a number for the key
 * \return the error message; empty when the number is valid
 */
std::string CheckStudyNumber(const std::string& path, const std::string& text);

/// The descriptor that answers an ExpertsOptions.
struct ExpertsDescriptor
{
    std::string text;
    std::vector<std::string> notes; //!< omissions, changes and assumptions, with their reasons
};

/**
 * \param check further checks of the descriptor
 * \throws DescriptorError when no policy can run there, and for missing parts of the trace
 */
ExpertsDescriptor MakeExpertsDescriptor(const ExpertsOptions& question,
                                        const ExperimentCheck& check);

} // namespace ns3::rails

#endif // RAILS_EXPERTS_DESCRIPTOR_H
