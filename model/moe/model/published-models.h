// SPDX-License-Identifier: GPL-2.0-only
#ifndef PUBLISHED_MODELS_H
#define PUBLISHED_MODELS_H

#include "model-dimensions.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/// A model that can be named in a descriptor.
struct PublishedModel
{
    std::string name;            //!< with a capital first: "Mixtral-8x7b"
    std::string about;           //!< description, one sentence
    std::string source;          //!< source of the dimensions, and which are our choice
    std::string balancingSource; //!< source of ModelDimensions::balancing
    ModelDimensions dimensions;
};

/// \return all published models
const std::vector<PublishedModel>& GetPublishedModels();

} // namespace ns3::rails

#endif // PUBLISHED_MODELS_H
