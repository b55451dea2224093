// SPDX-License-Identifier: GPL-2.0-only
#include "split-cases.h"

#include "../../support/source-folder.h"

#include <boost/random/mersenne_twister.hpp>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <utility>

namespace ns3::rails::test
{

namespace
{

/// What the script ends with where there is no SciPy.
constexpr int kSkipped = 77;

void
Write(const SplitCase& split, std::ostream& out)
{
    out << split.counts.GetSources() << " " << split.counts.GetExperts() << " " << split.weight
        << "\n";
    for (const std::vector<uint32_t>& hosts : split.hosts)
    {
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            out << (i > 0 ? "," : " ") << hosts[i];
        }
    }
    out << "\n";
    for (const uint32_t tokens : split.counts.GetCounts())
    {
        out << " " << tokens;
    }
    out << "\n";
}

/// \return what a program says and ends with
std::pair<std::string, int>
Run(const std::string& command)
{
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe)
    {
        throw std::runtime_error("cannot run " + command);
    }
    std::string said;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    {
        said += static_cast<char>(c);
    }
    const int status = pclose(pipe);
    return {said, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

} // namespace

SplitCase::SplitCase(uint32_t gpus, uint32_t experts, uint32_t mostHosts, uint32_t seed)
    : counts(gpus, experts)
{
    boost::random::mt19937 random(seed);
    for (uint32_t expert = 0; expert < experts; ++expert)
    {
        std::vector<uint32_t> order(gpus);
        std::iota(order.begin(), order.end(), 0);
        const uint32_t many = 1 + random() % mostHosts;
        for (uint32_t i = 0; i < many; ++i)
        {
            std::swap(order[i], order[i + random() % (gpus - i)]);
        }
        order.resize(many);
        hosts.push_back(order);
        const uint32_t most = uint32_t{1} << random() % 15;
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            counts.Set(gpu, expert, random() % most);
        }
    }
    loads = counts.GetLoads();
}

std::vector<uint64_t>
AddUp(const ExpertQuota& quota, uint32_t gpus)
{
    std::vector<uint64_t> loads(gpus);
    for (const std::vector<HostShare>& shares : quota)
    {
        for (const HostShare& share : shares)
        {
            loads[share.host] += share.tokens;
        }
    }
    return loads;
}

void
ExpectConserved(const SplitCase& split, const ExpertQuota& quota)
{
    ASSERT_EQ(quota.size(), split.hosts.size());
    for (std::size_t expert = 0; expert < quota.size(); ++expert)
    {
        uint64_t tokens = 0;
        ASSERT_EQ(quota[expert].size(), split.hosts[expert].size());
        for (std::size_t i = 0; i < quota[expert].size(); ++i)
        {
            EXPECT_EQ(quota[expert][i].host, split.hosts[expert][i]);
            tokens += quota[expert][i].tokens;
        }
        EXPECT_EQ(tokens, split.loads[expert]);
    }
}

std::optional<std::vector<double>>
FindScipyOptima(const std::vector<SplitCase>& cases)
{
    const std::string path = testing::TempDir() + "/split-cases.txt";
    std::ofstream file(path);
    for (const SplitCase& split : cases)
    {
        Write(split, file);
    }
    file.close();
    const std::string script = GetSourceFolder() + "/test/placement/solver/scipy_optima.py";
    for (const std::string python : {"/usr/bin/python3", "python3"})
    {
        const auto [said, status] = Run(python + " '" + script + "' '" + path + "'");
        if (status == 0)
        {
            std::vector<double> optima;
            std::size_t at = 0;
            for (std::size_t end = said.find('\n'); end != std::string::npos;
                 end = said.find('\n', at))
            {
                optima.push_back(std::stod(said.substr(at, end - at)));
                at = end + 1;
            }
            return optima;
        }
        EXPECT_TRUE(status == kSkipped || status == 127) << script << " ended with " << status;
    }
    return std::nullopt;
}

} // namespace ns3::rails::test
