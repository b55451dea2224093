// SPDX-License-Identifier: GPL-2.0-only
#include "worker-pool.h"

#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3::rails
{

WorkerPool::WorkerPool(uint32_t workers)
    : m_workers(workers)
{
    if (workers == 0)
    {
        throw std::logic_error("tasks without anybody who does them");
    }
}

WorkerPool::~WorkerPool()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_isOver = true;
    }
    m_given.notify_all();
    for (std::thread& thread : m_threads)
    {
        thread.join();
    }
}

/// Begins the threads. Signals are for whoever called; where no more threads are allowed, those
/// that there are do it.
void
WorkerPool::Begin()
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try
    {
        while (m_threads.size() + 1 < m_workers)
        {
            const auto worker = static_cast<uint32_t>(m_threads.size() + 1);
            m_threads.emplace_back([this, worker] { Serve(worker); });
        }
    }
    catch (const std::system_error&)
    {
        m_workers = static_cast<uint32_t>(m_threads.size() + 1);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void
WorkerPool::Run(std::size_t tasks, const Work& work)
{
    if (m_threads.empty() && tasks > 1)
    {
        Begin();
    }
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_work = &work;
        m_tasks = tasks;
        m_next = 0;
        m_busy = m_threads.size();
        ++m_round;
    }
    m_given.notify_all();
    TakeTasks(0);
    std::unique_lock<std::mutex> lock(m_mutex);
    m_done.wait(lock, [this] { return m_busy == 0; });
    if (m_failure)
    {
        std::rethrow_exception(std::exchange(m_failure, nullptr));
    }
}

void
WorkerPool::Serve(uint32_t worker)
{
    uint64_t round = 0;
    std::unique_lock<std::mutex> lock(m_mutex);
    for (;;)
    {
        m_given.wait(lock, [this, round] { return m_isOver || m_round != round; });
        if (m_isOver)
        {
            return;
        }
        round = m_round;
        lock.unlock();
        TakeTasks(worker);
        lock.lock();
        if (--m_busy == 0)
        {
            m_done.notify_one();
        }
    }
}

void
WorkerPool::TakeTasks(uint32_t worker)
{
    try
    {
        for (std::size_t task = m_next++; task < m_tasks; task = m_next++)
        {
            (*m_work)(worker, task);
        }
    }
    catch (...)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_failure = std::current_exception();
        m_next = m_tasks;
    }
}

} // namespace ns3::rails
