// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_MATRIX_SOURCE_H
#define FILE_MATRIX_SOURCE_H

#include "matrix-source.h"

#include <string>

namespace ns3::rails
{

/**
 * A matrix given number by number: `matrix: {type: file}`. The file is a plain CSV square of bytes
 * without a header: a row per source GPU, a column per destination GPU. What a GPU has for itself
 * is read and passed over.
 */
class FileMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const ClusterShape& shape) const override;
    TrafficMatrix Generate(const ClusterShape& shape) override;
    double EstimateBytes(const ClusterShape& shape) const override;

  private:
    /// \return bytes of all pairs of different GPUs; throws as Check() does
    uint64_t FindBytes(const ClusterShape& shape) const;
    TrafficMatrix Read(const ClusterShape& shape) const;

    std::string m_path;
};

} // namespace ns3::rails

#endif // FILE_MATRIX_SOURCE_H
