// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTING_TRACE_H
#define ROUTING_TRACE_H

#include "ns3/csv-file.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Recorded token counts: a CSV with the header `iteration,layer,microbatch,rank,e0,e1,...`. Each
 * row counts the tokens of a source rank for each expert. Positions of rows are indexed once, so
 * that single iterations and layers are read without reading the whole file.
 */
class RoutingTrace
{
  public:
    /// Iteration, layer and micro-batch, in the numbers of the file.
    using Place = std::array<uint64_t, 3>;

    /**
     * \param path of the file
     * \return the trace; cached until the file changes
     * \throws ConfigurationError with the key `path` when the file is invalid
     */
    static std::shared_ptr<const RoutingTrace> Read(const std::string& path);

    /// \return number of experts
    uint32_t GetExperts() const
    {
        return m_experts;
    }

    /// \return number of source ranks of the first place
    uint32_t CountRanks() const;

    /// \return number of iterations, layers and micro-batches
    std::array<std::size_t, 3> CountRecorded() const;

    /**
     * \param numbers indices from 0 of an iteration, a layer and a micro-batch
     * \return their numbers in the file; indices wrap around after the last
     */
    Place FindPlace(const Place& numbers) const;

    /**
     * \param place of the rows
     * \param ranks expected number of ranks
     * \param owner of the GPUs, for messages: "a group"
     * \throws ConfigurationError with the key `path` when the number of ranks differs
     */
    void CheckRanks(const Place& place, uint32_t ranks, const std::string& owner) const;

    /**
     * \param place of the rows
     * \param ranks expected number of ranks
     * \param owner of the GPUs, for messages: "a group"
     * \return tokens by source rank and expert
     * \throws ConfigurationError with the key `path` when the ranks differ
     */
    std::vector<std::vector<uint64_t>> ReadTokens(const Place& place,
                                                  uint32_t ranks,
                                                  const std::string& owner) const;

  private:
    explicit RoutingTrace(const std::string& path);

    std::string m_path;
    uint32_t m_experts{0};
    std::map<Place, std::vector<CsvFile::Mark>> m_rows; //!< positions of rows by place
    /// Numbers of all iterations, layers and micro-batches in the file, ascending.
    std::array<std::vector<uint64_t>, 3> m_recorded;
};

} // namespace ns3::rails

#endif // ROUTING_TRACE_H
