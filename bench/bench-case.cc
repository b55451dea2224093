// SPDX-License-Identifier: GPL-2.0-only
#include "bench-case.h"

#include "ns3/callback.h"
#include "ns3/frame-cluster.h"
#include "ns3/heap-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rails-queue-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <sstream>
#include <vector>

namespace ns3::rails
{

const char* const kBenchScheduler = "ns3::HeapScheduler";

namespace
{

double
GetSeconds(std::chrono::steady_clock::time_point since)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

/// A heap scheduler that measures the mean number of pending events.
class CountingScheduler : public HeapScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::CountingScheduler")
                                .SetParent<HeapScheduler>()
                                .SetGroupName("Rails")
                                .AddConstructor<CountingScheduler>()
                                .AddAttribute("Report",
                                              "Called with the average when it ends.",
                                              CallbackValue(),
                                              MakeCallbackAccessor(&CountingScheduler::m_report),
                                              MakeCallbackChecker());
        return tid;
    }

    ~CountingScheduler() override
    {
        if (!m_report.IsNull() && m_taken > 0)
        {
            m_report(static_cast<double>(m_sum) / static_cast<double>(m_taken));
        }
    }

    void Insert(const Scheduler::Event& event) override
    {
        ++m_pending;
        HeapScheduler::Insert(event);
    }

    Scheduler::Event RemoveNext() override
    {
        m_sum += m_pending--;
        ++m_taken;
        return HeapScheduler::RemoveNext();
    }

  private:
    Callback<void, double> m_report;
    uint64_t m_pending{0};
    uint64_t m_sum{0};
    uint64_t m_taken{0};
};

/// Does nothing but schedule itself again.
class EmptyEvent : public EventImpl
{
  public:
    EmptyEvent(uint64_t& left, uint64_t seed)
        : m_left(left),
          m_state(seed)
    {
    }

    void Start()
    {
        // Xorshift (Marsaglia, 2003): random enough, and next to free.
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        Simulator::Schedule(TimeStep(static_cast<int64_t>(1 + m_state % 200'000)),
                            Ptr<EventImpl>(this));
    }

  protected:
    void Notify() override
    {
        if (m_left > 0)
        {
            --m_left;
            Start();
        }
    }

  private:
    uint64_t& m_left;
    uint64_t m_state;
};

template <typename T>
Ptr<T>
Make(const std::string& text)
{
    ObjectFactory factory;
    std::istringstream stream(text);
    stream >> factory;
    NS_ABORT_MSG_IF(stream.fail(), "not a component: " << text);
    return factory.Create()->GetObject<T>();
}

std::deque<Message>
MakeMessages(const BenchCase& bench, const ClusterShape& shape, uint32_t subflows)
{
    std::deque<Message> messages;
    const uint32_t gpus = shape.GetGpus();
    const auto add = [&](uint32_t source, uint32_t destination, uint64_t bytes) {
        for (uint32_t subflow = 0; subflow < subflows; ++subflow)
        {
            Message message;
            message.id = static_cast<uint32_t>(messages.size());
            message.source = source;
            message.destination = destination;
            message.txRail = static_cast<uint16_t>(source % shape.gpusPerServer);
            message.rxRail = message.txRail;
            message.subflow = static_cast<uint16_t>(subflow);
            message.bytes = bytes / subflows;
            messages.push_back(message);
        }
    };
    if (bench.traffic == BenchCase::Traffic::Permutation)
    {
        // Sattolo's algorithm: one cycle, so no GPU sends to itself.
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::vector<uint32_t> to(gpus);
        std::iota(to.begin(), to.end(), 0);
        for (uint32_t i = gpus - 1; i > 0; --i)
        {
            std::swap(to[i], to[random->GetInteger(0, i - 1)]);
        }
        for (uint32_t source = 0; source < gpus; ++source)
        {
            add(source, to[source], bench.bytesPerGpu);
        }
        return messages;
    }
    const uint64_t bytes = bench.bytesPerGpu / (gpus - shape.gpusPerServer);
    for (uint32_t source = 0; source < gpus; ++source)
    {
        for (uint32_t destination = 0; destination < gpus; ++destination)
        {
            if (source / shape.gpusPerServer != destination / shape.gpusPerServer)
            {
                add(source, destination, bytes);
            }
        }
    }
    return messages;
}

} // namespace

BenchRun
RunBenchCase(const BenchCase& bench, bool countsPending)
{
    BenchRun run;
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    if (countsPending)
    {
        ObjectFactory counting;
        counting.SetTypeId(CountingScheduler::GetTypeId());
        counting.Set("Report", CallbackValue(Callback<void, double>([&run](double mean) {
                         run.meanPending = mean;
                     })));
        Simulator::SetScheduler(counting);
    }
    else
    {
        Simulator::SetScheduler(ObjectFactory(kBenchScheduler));
    }
    {
        Ptr<Topology> topology = Make<Topology>(bench.topology);
        Ptr<SwitchProfile> profile = Make<SwitchProfile>(bench.profile);
        profile->SetAttribute("Ecn", PointerValue(Make<EcnMarker>(bench.marker)));
        Ptr<Transport> transport = Make<Transport>(bench.transport);
        Ptr<PathSelector> path = Make<PathSelector>(bench.path);
        Ptr<PortSelector> selector = Make<PortSelector>(bench.selector);
        profile->Check();
        transport->Check();
        path->Check();
        Ptr<FrameEngine> cluster =
            BuildCluster(*topology,
                         {profile, transport, CreateObject<NicProfile>(), path, selector});
        selector->Check(FindTraits(cluster->GetWiring()));
        cluster->AssignStreams(1000);
        std::deque<Message> messages =
            MakeMessages(bench, topology->GetShape(), path->GetSubflows());
        std::unique_ptr<QueueRecorder> queues;
        if (bench.recordsQueues)
        {
            queues = std::make_unique<QueueRecorder>(cluster->GetPorts());
        }
        for (Message& message : messages)
        {
            cluster->Post(message);
        }
        const auto start = std::chrono::steady_clock::now();
        Simulator::Run();
        run.wallSeconds = GetSeconds(start);
        run.events = Simulator::GetEventCount();
        for (const Ptr<Port>& port : cluster->GetPorts())
        {
            run.frameHops += port->GetLink().GetFrames();
        }
        run.messages = messages.size();
        run.messagesDelivered = static_cast<uint64_t>(
            std::count_if(messages.begin(), messages.end(), [](const Message& message) {
                return message.end != kNever;
            }));
    }
    Simulator::Destroy();
    return run;
}

double
MeasureEmptyEvent(uint64_t pending, uint64_t events)
{
    Simulator::SetScheduler(ObjectFactory(kBenchScheduler));
    uint64_t left = events;
    for (uint64_t i = 0; i < pending; ++i)
    {
        Create<EmptyEvent>(left, 88172645463325252ULL + i)->Start();
    }
    const auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    const double seconds = GetSeconds(start);
    Simulator::Destroy();
    return seconds * 1e9 / static_cast<double>(events + pending);
}

} // namespace ns3::rails
