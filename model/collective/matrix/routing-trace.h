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
 * Recorded routing: a CSV with the header `iteration,layer,microbatch,rank,e0,e1,...`, of which
 * each row counts the tokens that a source rank sent to each expert. Where in the file rows are is
 * read once, so that each of many iterations and layers is found without reading all of it.
 */
class RoutingTrace
{
  public:
    /// Iteration, layer and micro-batch, in the numbers of the file.
    using Place = std::array<uint64_t, 3>;

    /**
     * \param path of the file
     * \return what it has; remembered as long as the file stays as it is
     * \throws ConfigurationError with the key `path` when it is no such file
     */
    static std::shared_ptr<const RoutingTrace> Read(const std::string& path);

    /// \return number of experts
    uint32_t GetExperts() const;

    /// \return source ranks of the first place
    uint32_t CountRanks() const;

    /// \return how many iterations, layers and micro-batches there are
    std::array<std::size_t, 3> CountRecorded() const;

    /**
     * \param numbers from 0 on, of an iteration, a layer and a micro-batch
     * \return those in the numbers of the file: its first is 0, behind its last comes the first
     */
    Place FindPlace(const Place& numbers) const;

    /**
     * \param place which rows
     * \param ranks how many there must be
     * \param owner who has so many GPUs, for messages: "a group"
     * \throws ConfigurationError with the key `path` when there are fewer or more
     */
    void CheckRanks(const Place& place, uint32_t ranks, const std::string& owner) const;

    /**
     * \param place which rows
     * \param ranks how many there must be
     * \param owner who has so many GPUs, for messages: "a group"
     * \return tokens by source rank and expert
     * \throws ConfigurationError with the key `path` when there are others
     */
    std::vector<std::vector<uint64_t>> ReadTokens(const Place& place,
                                                  uint32_t ranks,
                                                  const std::string& owner) const;

  private:
    explicit RoutingTrace(const std::string& path);

    std::string m_path;
    uint32_t m_experts{0};
    std::map<Place, std::vector<CsvFile::Mark>> m_rows; //!< in the order of the file
    /// All iterations, layers and micro-batches that there are, ascending.
    std::array<std::vector<uint64_t>, 3> m_recorded;
};

} // namespace ns3::rails

#endif // ROUTING_TRACE_H
