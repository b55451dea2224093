// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMMON_POPULARITY_H
#define COMMON_POPULARITY_H

#include "popularity.h"

namespace ns3::rails
{

/// Base of popularities that are equal for all GPUs of a group. Not a component itself, so it has
/// no TypeId.
class CommonPopularity : public Popularity
{
  public:
    void Start(uint32_t experts) final;
    std::shared_ptr<const std::vector<double>> GetNext() final;

  protected:
    /// \return share of each expert in the tokens of a group; shares add up to 1
    virtual std::vector<double> Draw(uint32_t experts) = 0;

  private:
    std::shared_ptr<const std::vector<double>> m_shares;
};

} // namespace ns3::rails

#endif // COMMON_POPULARITY_H
