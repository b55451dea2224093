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

/// What one GPU has for another.
struct Demand
{
    uint32_t destination{0}; //!< destination GPU
    uint64_t bytes{0};       //!< at least 1
};

/// Sorts demands of one GPU as rows of a matrix are.
void SortByDestination(std::vector<Demand>& demands);

/**
 * Bytes from every GPU to every other. Rows are kept sparse and sorted by destination; a GPU has
 * nothing for itself.
 */
class TrafficMatrix
{
  public:
    /**
     * \param shape the cluster it is for
     */
    explicit TrafficMatrix(ClusterShape shape);

    const ClusterShape& GetShape() const;

    /**
     * Adds bytes to a pair. Calls for one source must come in the order of destinations; anything
     * else, and a GPU out of range, throws std::logic_error. Zero bytes and a GPU to itself are
     * passed over.
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes);

    /// \return what a GPU sends, by destination; throws std::out_of_range
    const std::vector<Demand>& GetRow(uint32_t source) const;

    /// \return the same matrix with sources and destinations exchanged (the combine of a dispatch)
    TrafficMatrix Transpose() const;

    /// \return bytes that each GPU gets from all others together
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
