// SPDX-License-Identifier: GPL-2.0-only
#include "operation-list.h"

#include <cstddef>
#include <utility>

namespace ns3::rails
{

uint32_t
OperationList::Add(Operation operation)
{
    auto& stream = m_made.streams[static_cast<std::size_t>(operation.stream)];
    operation.index = static_cast<uint32_t>(stream.size());
    stream.push_back(static_cast<uint32_t>(m_made.operations.size()));
    operation.firstStep = m_made.steps;
    m_made.steps += operation.steps;
    m_made.work[static_cast<std::size_t>(operation.stream)] += operation.GetWork();
    m_made.operations.push_back(std::move(operation));
    return static_cast<uint32_t>(m_made.operations.size() - 1);
}

uint32_t
OperationList::Compute(Operation operation)
{
    if (m_awaited)
    {
        operation.after.push_back(*std::exchange(m_awaited, std::nullopt));
    }
    operation.after.insert(operation.after.end(), m_joined.begin(), m_joined.end());
    m_joined.clear();
    m_computed = Add(std::move(operation));
    return *m_computed;
}

uint32_t
OperationList::Communicate(Operation operation, bool isAwaited)
{
    if (m_computed)
    {
        operation.after.push_back(*m_computed);
    }
    const uint32_t number = Add(std::move(operation));
    if (isAwaited)
    {
        m_awaited = number;
    }
    return number;
}

void
OperationList::SendOn(Operation operation)
{
    m_made.sent = m_made.steps;
    Communicate(std::move(operation), false);
}

void
OperationList::Join(uint32_t operation)
{
    m_joined.push_back(operation);
}

void
OperationList::Wait()
{
    Operation none;
    none.kind = TrainingKind::Gate;
    Compute(none);
}

bool
OperationList::HasJoined() const
{
    return !m_joined.empty();
}

const std::optional<uint32_t>&
OperationList::GetAwaited() const
{
    return m_awaited;
}

std::optional<uint32_t>
OperationList::ExchangeAwaited(const std::optional<uint32_t>& awaited)
{
    return std::exchange(m_awaited, awaited);
}

const std::optional<uint32_t>&
OperationList::GetComputed() const
{
    return m_computed;
}

const SlotOperations&
OperationList::Get() const
{
    return m_made;
}

} // namespace ns3::rails
