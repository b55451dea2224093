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
    std::string about;           //!< what it is, in a sentence
    std::string source;          //!< where the dimensions are from, and which are our choice
    std::string balancingSource; //!< where ModelDimensions::balancing is from
    ModelDimensions dimensions;
};

/// \return the models that can be named
const std::vector<PublishedModel>& GetPublishedModels();

} // namespace ns3::rails

#endif // PUBLISHED_MODELS_H
