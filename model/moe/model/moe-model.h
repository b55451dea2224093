// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOE_MODEL_H
#define MOE_MODEL_H

#include "model-dimensions.h"

#include "ns3/object.h"

namespace ns3::rails
{

/**
 * Dimensions of a model: `model` of a training. Each type is a published model
 * (GetPublishedModels()); keys override single dimensions.
 */
class MoeModel : public Object, private ModelDimensions
{
  public:
    static TypeId GetTypeId();

    /// Registers an ns-3 type for each published model; repeated calls have no effect.
    static void RegisterTypes();

    /// \throws ConfigurationError with the key when dimensions contradict each other
    void Check() const;

    /// \return the dimensions; `layers` includes multi-token prediction layers
    ModelDimensions GetDimensions() const;
};

} // namespace ns3::rails

#endif // MOE_MODEL_H
