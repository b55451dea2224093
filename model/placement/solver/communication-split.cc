// SPDX-License-Identifier: GPL-2.0-only
#include "communication-split.h"

#include "balanced-split.h"
#include "linear-program.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace ns3::rails
{

namespace
{

using Term = LinearProgram::Term;
using Hosts = std::vector<std::vector<uint32_t>>;

/// Accuracy of a solution, in tokens.
constexpr double kTolerance = 1e-6;

/// LP 4 as a linear program.
class Formulation
{
  public:
    Formulation(const TokenCounts& counts,
                const Hosts& hosts,
                const ClusterView& cluster,
                const CommunicationWeights& weights)
        : m_counts(counts),
          m_hosts(hosts),
          m_cluster(cluster),
          m_hasServers(weights.inside.has_value()),
          m_computed(m_program.AddColumn(1)),
          m_inside(m_program.AddColumn(weights.inside.value_or(0))),
          m_across(m_program.AddColumn(weights.across)),
          m_shares(hosts.size()),
          m_loads(cluster.gpus),
          m_kept(cluster.gpus),
          m_fromServer(cluster.gpus),
          m_fromFar(cluster.gpus)
    {
        const std::vector<uint64_t> loads = counts.GetLoads();
        for (uint32_t expert = 0; expert < hosts.size(); ++expert)
        {
            AddShares(expert, loads[expert]);
            if (m_hasServers)
            {
                LimitServers(expert);
            }
        }
        for (uint32_t gpu = 0; gpu < cluster.gpus; ++gpu)
        {
            LimitGpu(gpu);
        }
        for (uint32_t server = 0; m_hasServers && server < cluster.GetServerCount(); ++server)
        {
            LimitServer(server);
        }
    }

    /// \param shares tokens by expert and host
    CommunicationSplit Solve(std::vector<std::vector<double>>& shares) const
    {
        const LinearSolution solution = m_program.Minimise();
        for (const std::vector<Share>& ofExpert : m_shares)
        {
            shares.emplace_back();
            for (const Share& share : ofExpert)
            {
                shares.back().push_back(solution.columns[share.kept] +
                                        solution.columns[share.fromFar] +
                                        (m_hasServers ? solution.columns[share.fromServer] : 0));
            }
        }
        CommunicationSplit split;
        split.cost = solution.cost;
        split.computed = solution.columns[m_computed];
        split.inside = solution.columns[m_inside];
        split.across = solution.columns[m_across];
        return split;
    }

  private:
    /// Columns: tokens of an expert that a host computes, by where they come from.
    struct Share
    {
        uint32_t kept;
        uint32_t fromServer; //!< where servers count
        uint32_t fromFar;
    };

    /// Hosts of an expert compute all of its tokens. The bound of `kept` is a host's local tokens,
    /// so local tokens need no extra column.
    void AddShares(uint32_t expert, uint64_t load)
    {
        std::vector<Term> all;
        const auto add = [&](double most, std::vector<Term>& sum, uint32_t gpu) {
            const uint32_t column = m_program.AddColumn(0, 0, most);
            all.push_back({column, 1});
            sum.push_back({column, 1});
            m_loads[gpu].push_back({column, 1});
            return column;
        };
        for (const uint32_t gpu : m_hosts[expert])
        {
            Share share{};
            share.kept = add(m_counts.Get(gpu, expert), m_kept[gpu], gpu);
            share.fromFar = add(LinearProgram::kInfinity, m_fromFar[gpu], gpu);
            if (m_hasServers)
            {
                share.fromServer = add(LinearProgram::kInfinity, m_fromServer[gpu], gpu);
            }
            m_shares[expert].push_back(share);
        }
        m_program.AddRow(static_cast<double>(load), all, static_cast<double>(load));
    }

    /// Tokens of an expert that stay in a server are at most its tokens there.
    void LimitServers(uint32_t expert)
    {
        std::map<uint32_t, std::vector<Term>> stay; // by server
        for (std::size_t i = 0; i < m_hosts[expert].size(); ++i)
        {
            std::vector<Term>& terms = stay[m_cluster.GetServer(m_hosts[expert][i])];
            terms.push_back({m_shares[expert][i].kept, 1});
            terms.push_back({m_shares[expert][i].fromServer, 1});
        }
        for (const auto& [server, terms] : stay)
        {
            uint64_t tokens = 0;
            for (const uint32_t gpu : ListGpus(server))
            {
                tokens += m_counts.Get(gpu, expert);
            }
            m_program.AddRow(-LinearProgram::kInfinity, terms, static_cast<double>(tokens));
        }
    }

    void LimitGpu(uint32_t gpu)
    {
        AddLimit(m_loads[gpu], m_computed);
        AddLimit(m_fromFar[gpu], m_across);
        // A GPU sends its tokens that it does not keep.
        std::vector<Term> sent{{m_across, 1}};
        if (m_hasServers)
        {
            AddLimit(m_fromServer[gpu], m_inside);
            sent.push_back({m_inside, 1});
        }
        sent.insert(sent.end(), m_kept[gpu].begin(), m_kept[gpu].end());
        const auto tokens = static_cast<double>(m_counts.GetFrom(gpu));
        m_program.AddRow(tokens, sent, LinearProgram::kInfinity);
    }

    /// Traffic that leaves a server counts as the mean over its GPUs. Inside a server, mean sent
    /// equals mean received tokens, so the maximum of received tokens bounds both.
    void LimitServer(uint32_t server)
    {
        const std::vector<uint32_t> gpus = ListGpus(server);
        std::vector<Term> sent{{m_across, static_cast<double>(gpus.size())}};
        double tokens = 0;
        for (const uint32_t gpu : gpus)
        {
            tokens += static_cast<double>(m_counts.GetFrom(gpu));
            for (const std::vector<Term>* terms : {&m_kept[gpu], &m_fromServer[gpu]})
            {
                sent.insert(sent.end(), terms->begin(), terms->end());
            }
        }
        m_program.AddRow(tokens, sent, LinearProgram::kInfinity);
    }

    /// Adds: sum <= column.
    void AddLimit(std::vector<Term> sum, uint32_t limit)
    {
        sum.push_back({limit, -1});
        m_program.AddRow(-LinearProgram::kInfinity, sum, 0);
    }

    std::vector<uint32_t> ListGpus(uint32_t server) const
    {
        std::vector<uint32_t> gpus;
        const uint32_t first = server * m_cluster.gpusPerServer;
        for (uint32_t gpu = first; gpu < std::min(first + m_cluster.gpusPerServer, m_cluster.gpus);
             ++gpu)
        {
            gpus.push_back(gpu);
        }
        return gpus;
    }

    const TokenCounts& m_counts;
    const Hosts& m_hosts;
    const ClusterView& m_cluster;
    bool m_hasServers;
    LinearProgram m_program;
    uint32_t m_computed;                      //!< column: largest load
    uint32_t m_inside;                        //!< column: most tokens sent or received in a server
    uint32_t m_across;                        //!< column: most tokens sent or received otherwise
    std::vector<std::vector<Share>> m_shares; //!< by expert and host
    std::vector<std::vector<Term>> m_loads;   //!< by GPU: computed tokens
    std::vector<std::vector<Term>> m_kept;    //!< by GPU: computed local tokens
    std::vector<std::vector<Term>> m_fromServer; //!< by GPU: computed tokens from its server
    std::vector<std::vector<Term>> m_fromFar;    //!< by GPU: all other computed tokens
};

/// \return the split in whole tokens
ExpertQuota
MakeWhole(const std::vector<std::vector<double>>& shares,
          const std::vector<uint64_t>& loads,
          const Hosts& hosts,
          uint32_t gpus)
{
    ExpertQuota quota(hosts.size());
    Hosts partial(hosts.size()); // hosts with a fractional share
    std::vector<uint64_t> rest = loads;
    std::vector<uint64_t> whole(gpus);
    for (uint32_t expert = 0; expert < hosts.size(); ++expert)
    {
        for (std::size_t i = 0; i < hosts[expert].size(); ++i)
        {
            const uint32_t host = hosts[expert][i];
            const double share = shares[expert][i];
            const auto tokens =
                std::min(static_cast<uint64_t>(std::floor(share + kTolerance)), rest[expert]);
            rest[expert] -= tokens;
            whole[host] += tokens;
            quota[expert].push_back({host, tokens});
            if (share > static_cast<double>(tokens) + kTolerance)
            {
                partial[expert].push_back(host);
            }
        }
        partial[expert] = partial[expert].empty() ? hosts[expert] : partial[expert];
    }
    const SplitResult more = BalancedSplit(partial, gpus).Split(rest, whole);
    for (uint32_t expert = 0; expert < hosts.size(); ++expert)
    {
        for (const HostShare& share : more.quota[expert])
        {
            const auto own = std::find(hosts[expert].begin(), hosts[expert].end(), share.host);
            quota[expert][static_cast<std::size_t>(own - hosts[expert].begin())].tokens +=
                share.tokens;
        }
    }
    return quota;
}

} // namespace

CommunicationSplit
SplitWithCommunication(const TokenCounts& counts,
                       const std::vector<std::vector<uint32_t>>& hosts,
                       const ClusterView& cluster,
                       const CommunicationWeights& weights)
{
    std::vector<std::vector<double>> shares;
    CommunicationSplit split = Formulation(counts, hosts, cluster, weights).Solve(shares);
    split.quota = MakeWhole(shares, counts.GetLoads(), hosts, cluster.gpus);
    return split;
}

} // namespace ns3::rails
