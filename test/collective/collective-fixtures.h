// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_FIXTURES_H
#define COLLECTIVE_FIXTURES_H

#include "ns3/component-list.h"
#include "ns3/matrix-source.h"
#include "ns3/object-factory.h"
#include "ns3/rails-error.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/row-balancer.h"
#include "ns3/traffic-matrix.h"
#include "ns3/workload-phase.h"

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Creates a component by its class name and sets attributes given as (name, value) pairs.
template <typename Base, typename... Attributes>
Ptr<Base>
Make(const std::string& name, const Attributes&... attributes)
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::rails::" + name);
    if constexpr (sizeof...(attributes) > 0)
    {
        factory.Set(attributes...);
    }
    return factory.Create<Base>();
}

/// \return phases as the value of an attribute
inline ComponentListValue
MakePhases(const std::vector<Phase>& phases)
{
    ComponentListValue value;
    for (const Phase& phase : phases)
    {
        std::string name = phase.GetName();
        name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
        const auto component = Make<WorkloadPhase>(name + "WorkloadPhase");
        if (!phase.IsTraffic())
        {
            component->SetAttribute("Duration", TimeValue(PicoSeconds(phase.duration)));
        }
        value.Add("", component);
    }
    return value;
}

/// The matrix that a source draws with a seed.
inline TrafficMatrix
Generate(Ptr<MatrixSource> source, const GpuPartition& groups, uint64_t seed = 1)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(seed);
    source->AssignStreams(100);
    source->Check(groups);
    return source->Generate(groups);
}

/// A matrix given as rows of bytes.
inline TrafficMatrix
MakeMatrix(const ClusterShape& shape, const std::vector<std::vector<uint64_t>>& rows)
{
    TrafficMatrix matrix(shape);
    for (uint32_t source = 0; source < rows.size(); ++source)
    {
        for (uint32_t destination = 0; destination < rows[source].size(); ++destination)
        {
            matrix.Add(source, destination, rows[source][destination]);
        }
    }
    return matrix;
}

/// \return what a matrix has for one pair
inline uint64_t
GetBytes(const TrafficMatrix& matrix, uint32_t source, uint32_t destination)
{
    for (const Demand& demand : matrix.GetRow(source))
    {
        if (demand.destination == destination)
        {
            return demand.bytes;
        }
    }
    return 0;
}

/// Expects a ConfigurationError with a key, and a text in its message.
template <typename Action>
void
ExpectConfigurationError(Action&& action, const std::string& key, const std::string& text)
{
    try
    {
        action();
        ADD_FAILURE() << "nothing was thrown; expected: " << text;
    }
    catch (const ConfigurationError& error)
    {
        EXPECT_EQ(error.GetKey(), key);
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

/// A file that is there as long as the object.
class TemporaryFile
{
  public:
    explicit TemporaryFile(const std::string& content)
    {
        static int number = 0;
        m_path = testing::TempDir() + "rails-test-" +
                 std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
                 std::to_string(number++) + ".csv";
        std::ofstream(m_path) << content;
    }

    ~TemporaryFile()
    {
        std::filesystem::remove(m_path);
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

} // namespace ns3::rails

#endif // COLLECTIVE_FIXTURES_H
