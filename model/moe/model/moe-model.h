// SPDX-License-Identifier: GPL-2.0-only
#ifndef MOE_MODEL_H
#define MOE_MODEL_H

#include "model-dimensions.h"

#include "ns3/object.h"

namespace ns3::rails
{

/**
 * A model: `model` of a training. Each type is one that somebody has published
 * (GetPublishedModels()); every dimension can be given anew.
 */
class MoeModel : public Object, private ModelDimensions
{
  public:
    static TypeId GetTypeId();

    /// Makes a type of each published model known to ns-3; asked again, it does nothing.
    static void RegisterTypes();

    /// \throws ConfigurationError with the key when dimensions contradict each other
    void Check() const;

    /// \return what it is, layers that predict more tokens counted among all
    ModelDimensions GetDimensions() const;
};

} // namespace ns3::rails

#endif // MOE_MODEL_H
