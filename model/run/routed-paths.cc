// SPDX-License-Identifier: GPL-2.0-only
#include "routed-paths.h"

#include "rails-streams.h"

#include "ns3/flow-paths.h"
#include "ns3/rails-router.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <limits>

namespace ns3::rails
{

namespace
{

class RoutedPaths : public FabricPaths
{
  public:
    RoutedPaths(const Wiring& wiring, const RunSettings& settings)
        : m_wiring(wiring),
          m_spread(settings.parts.FindSpread().value_or(PathSpread::Even)),
          m_stream(settings.firstStream + kEngineStreams),
          m_streamsPerSwitch(settings.parts.CountStreamsOfSwitch())
    {
    }

    Way Find(uint32_t fromNic, uint32_t toNic, uint32_t queuePair) const override
    {
        constexpr double ps = 1e-12;
        const FlowPath path = GetPaths().Find(fromNic, toNic, queuePair);
        Way way{{}, static_cast<double>(path.delay) * ps, path.storing * ps};
        way.parts.reserve(path.parts.size());
        for (const FlowPath::Part& part : path.parts)
        {
            if (IsInFabric(part.bundle))
            {
                way.parts.push_back({part.bundle, part.share});
            }
        }
        return way;
    }

    double GetRate(uint32_t link) const override
    {
        uint64_t least = std::numeric_limits<uint64_t>::max();
        for (const uint32_t direction : GetPaths().GetDirections(link))
        {
            const Cable& cable = m_wiring.GetCables()[GetCableOfDirection(direction)];
            least = std::min(least, m_wiring.GetKind(cable).rateBps);
        }
        return static_cast<double>(least);
    }

    uint64_t GetVariant() const override
    {
        constexpr uint64_t kinds = 16;
        const uint64_t kind = 2 * static_cast<uint64_t>(m_spread) + m_streamsPerSwitch % 2;
        return m_spread == PathSpread::OnePath
                   ? (RngSeedManager::GetRun() + m_stream) * kinds + kind
                   : kind;
    }

  private:
    const FlowPaths& GetPaths() const
    {
        if (!m_paths)
        {
            m_paths = std::make_unique<FlowPaths>(std::make_shared<Router>(m_wiring), m_spread);
            m_paths->AssignStreams(m_stream, m_streamsPerSwitch);
        }
        return *m_paths;
    }

    /// \return true when a bundle has links between switches
    bool IsInFabric(uint32_t bundle) const
    {
        const std::vector<uint32_t>& directions = m_paths->GetDirections(bundle);
        return std::any_of(directions.begin(), directions.end(), [this](uint32_t direction) {
            return !m_wiring.GetCables()[GetCableOfDirection(direction)].isNic;
        });
    }

    const Wiring& m_wiring;
    PathSpread m_spread;
    int64_t m_stream;
    int64_t m_streamsPerSwitch;
    mutable std::unique_ptr<FlowPaths> m_paths;
};

} // namespace

std::shared_ptr<const FabricPaths>
MakeRoutedWays(const Wiring& wiring, const RunSettings& settings)
{
    return std::make_shared<const RoutedPaths>(wiring, settings);
}

} // namespace ns3::rails
