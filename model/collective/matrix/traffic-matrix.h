// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAFFIC_MATRIX_H
#define TRAFFIC_MATRIX_H

#include "ns3/cluster-shape.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Bytes from a GPU to another.
struct Demand
{
    uint32_t destination{0}; //!< destination GPU
    uint64_t bytes{0};       //!< at least 1
};

/// Sorts demands of one GPU by destination, as in rows of a matrix.
void SortByDestination(std::vector<Demand>& demands);

/**
 * Bytes from every GPU to every other GPU. Rows are sparse and sorted by destination; the diagonal
 * is empty.
 */
class TrafficMatrix
{
  public:
    /**
     * \param shape the cluster
     */
    explicit TrafficMatrix(ClusterShape shape);

    const ClusterShape& GetShape() const
    {
        return m_shape;
    }

    /**
     * Adds bytes to a pair. Zero bytes and the diagonal are ignored.
     * \throws std::logic_error when a source's destinations do not come in order, or a GPU is out
     *     of range
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    /// \return bytes that a GPU sends, by destination
    /// \throws std::out_of_range for an unknown GPU
    const std::vector<Demand>& GetRow(uint32_t source) const;

    /// \return the same matrix with sources and destinations exchanged (the combine of a dispatch)
    TrafficMatrix Transpose() const;

    /// \return bytes that each GPU receives from all others
    std::vector<uint64_t> GetReceived() const;

    /// \return payload of the whole matrix in bytes
    uint64_t GetTotalBytes() const;

    /**
     * \return SHA-256 in hexadecimal over servers, GPUs per server, and (source, destination,
     * bytes) of every entry in order, each as a little-endian 64-bit number
     */
    std::string GetHash() const;

  private:
    ClusterShape m_shape;
    std::vector<std::vector<Demand>> m_rows;
};

} // namespace ns3::rails

#endif // TRAFFIC_MATRIX_H
