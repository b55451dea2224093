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
 * is read and passed over. Where GPUs are divided into groups it is the matrix of every group.
 */
class FileMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const GpuGroups& groups) const override;
    TrafficMatrix Generate(const GpuGroups& groups) override;
    double EstimateBytes(const GpuGroups& groups) const override;

  private:
    /// \return bytes of all pairs of different GPUs of a group; throws as Check() does
    uint64_t FindBytes(const GpuGroups& groups) const;
    /// \return the matrix of a group, with its members as servers of one GPU
    TrafficMatrix Read(const GpuGroups& groups) const;

    std::string m_path;
};

} // namespace ns3::rails

#endif // FILE_MATRIX_SOURCE_H
