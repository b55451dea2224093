// SPDX-License-Identifier: GPL-2.0-only
#ifndef TABLE_COMPUTE_MODEL_H
#define TABLE_COMPUTE_MODEL_H

#include "compute-model.h"

#include <array>
#include <map>
#include <memory>
#include <string>

namespace ns3::rails
{

/// `table`: by times that somebody has measured for some numbers of tokens
class TableComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();

    void Check(uint32_t gpus, Precision precision) const override;

  private:
    /// Seconds by tokens.
    using Curve = std::map<double, double>;

    /// What a file has of a part.
    struct Measured
    {
        Curve forward;
        Curve backward; //!< empty: twice as long
    };

    using Table = std::array<Measured, 7>; //!< by part

    static std::shared_ptr<const Table> Read(const std::string& path);
    double GetSeconds(const Work& work) const override;

    std::string m_path;
};

} // namespace ns3::rails

#endif // TABLE_COMPUTE_MODEL_H
