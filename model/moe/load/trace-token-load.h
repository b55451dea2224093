// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRACE_TOKEN_LOAD_H
#define TRACE_TOKEN_LOAD_H

#include "token-load.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `trace`: recorded counts, replayed over iterations, layers and micro-batches: the first of the
 * training is the first of the record, and behind the last comes the first again. Every group gets
 * the same.
 */
class TraceTokenLoad : public TokenLoad
{
  public:
    static TypeId GetTypeId();

    void Check(const LoadShape& shape) const override;
    std::vector<uint32_t> Draw(const LoadShape& shape, const LoadPlace& place) const override;
    std::vector<uint32_t> CountCopies(const LoadShape& shape,
                                      const LoadPlace& place,
                                      const std::vector<uint32_t>& counts,
                                      const TokenSplit& split) const override;
    uint32_t GetCycle(const LoadShape& shape) const override;
    uint32_t CountIterations() const override;

  private:
    /// Throws when the counts of a place that is replayed do not fit.
    void DrawAll(const LoadShape& shape, const std::array<std::size_t, 3>& recorded) const;

    std::string m_path;
    uint32_t m_skip;
};

} // namespace ns3::rails

#endif // TRACE_TOKEN_LOAD_H
