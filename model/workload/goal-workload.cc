// SPDX-License-Identifier: GPL-2.0-only
#include "rails-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/file-memory.h"
#include "ns3/goal-file.h"
#include "ns3/goal-program.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// `goal`: the program of a file in the GOAL format, with one rank per GPU.
class GoalWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    /// Totals of the file.
    struct Size
    {
        uint64_t ranks{0};
        double bytes{0};
        double messages{0};
        bool namesNics{false};
    };

    Size Measure() const;
    std::shared_ptr<const GoalProgram> MakeGoalProgram(const ClusterShape& shape) const;

    std::string m_path;
    uint32_t m_stride;
};

NS_OBJECT_ENSURE_REGISTERED(GoalWorkload);

TypeId
GoalWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::GoalWorkload").SetParent<Workload>(),
            "What ranks compute and send by a file in the GOAL format of LogGOPSim: calc, "
            "send, recv and what they require.")
            .SetGroupName("Rails")
            .AddConstructor<GoalWorkload>()
            .AddAttribute("Path",
                          "The file, as text.",
                          StringValue(""),
                          MakeStringAccessor(&GoalWorkload::m_path),
                          MakeStringChecker())
            .AddAttribute("Stride",
                          "GPUs from one rank to the next: 1 gives all GPUs a rank in order, the "
                          "number of GPUs of a server gives each server one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&GoalWorkload::m_stride),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

GoalWorkload::Size
GoalWorkload::Measure() const
{
    static FileMemory<Size> sizes;
    return sizes.Get(m_path, {}, [&] {
        const GoalSchedule schedule = ReadGoal(m_path);
        Size size{schedule.ranks.size(), 0, 0, schedule.NamesNics()};
        for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
        {
            for (const GoalOperation& operation : schedule.ranks[rank].operations)
            {
                if (operation.type == GoalOperation::Type::Send && operation.peer != rank)
                {
                    ++size.messages;
                    size.bytes += static_cast<double>(std::max<uint64_t>(operation.amount, 1));
                }
            }
        }
        return size;
    });
}

void
GoalWorkload::Check(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    const uint64_t ranks = Measure().ranks;
    const uint64_t places = (uint64_t{shape.GetGpus()} + m_stride - 1) / m_stride;
    if (ranks > places)
    {
        throw ConfigurationError(
            m_stride > 1 ? "stride" : "path",
            "the file has " + std::to_string(ranks) + " ranks, and the topology has GPUs for " +
                std::to_string(places) + (m_stride > 1 ? " of them at this stride" : ""));
    }
    if (Measure().namesNics || Measure().bytes > 1e18)
    {
        static FileMemory<bool> fits;
        fits.Get(m_path, {shape.servers, shape.gpusPerServer, shape.nicsPerServer, m_stride}, [&] {
            MakeGoalProgram(shape);
            return true;
        });
    }
}

double
GoalWorkload::EstimateBytes(const WorkloadSetting&) const
{
    return Measure().bytes;
}

double
GoalWorkload::EstimateMessages(const WorkloadSetting&) const
{
    return Measure().messages;
}

std::shared_ptr<const GoalProgram>
GoalWorkload::MakeGoalProgram(const ClusterShape& shape) const
{
    const GoalSchedule schedule = ReadGoal(m_path);
    std::vector<uint32_t> gpus;
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        gpus.push_back(rank * m_stride);
    }
    std::shared_ptr<const GoalProgram> program;
    CheckNested("path", [&] {
        program = std::make_shared<const GoalProgram>(schedule, shape, gpus, m_stride);
    });
    return program;
}

std::shared_ptr<const GraphProgram>
GoalWorkload::MakeProgram(const WorkloadSetting& setting)
{
    return MakeGoalProgram(setting.shape);
}

} // namespace ns3::rails
