// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3::rails
{

/**
 * Threads that do tasks which have nothing to do with each other, beside the one that asks for it.
 * They begin with the first tasks, and take the next task whenever they are through with one; which
 * thread does which task is left to chance.
 */
class WorkerPool
{
  public:
    /// Does a task. \param worker whose turn it is, from 0 on; none does two tasks at once
    using Work = std::function<void(uint32_t worker, std::size_t task)>;

    /// \param workers at least 1, which is whoever calls Run()
    explicit WorkerPool(uint32_t workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    uint32_t GetWorkers() const
    {
        return m_workers;
    }

    /**
     * Does tasks, and comes back when all are done.
     * \param tasks how many
     * \param work does one of them
     * \throws what work threw, once nobody works any more; the tasks that were left are not done
     */
    void Run(std::size_t tasks, const Work& work);

  private:
    void Begin();
    void Serve(uint32_t worker);
    void TakeTasks(uint32_t worker);

    uint32_t m_workers;
    std::vector<std::thread> m_threads;
    std::mutex m_mutex; // of all but the next task
    std::condition_variable m_given;
    std::condition_variable m_done;
    const Work* m_work{nullptr};
    std::size_t m_tasks{0};
    std::atomic<std::size_t> m_next{0};
    uint64_t m_round{0};   // of tasks
    std::size_t m_busy{0}; // threads
    bool m_isOver{false};
    std::exception_ptr m_failure;
};

} // namespace ns3::rails

#endif // WORKER_POOL_H
