// SPDX-License-Identifier: GPL-2.0-only
#include "operation-list.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Appends an operation. \return its number
uint32_t
Append(SlotOperations& made, Operation operation)
{
    auto& stream = made.streams[static_cast<std::size_t>(operation.stream)];
    operation.index = static_cast<uint32_t>(stream.size());
    stream.push_back(static_cast<uint32_t>(made.operations.size()));
    if (operation.isOfAll)
    {
        made.stepsOfAll = operation.steps;
    }
    else
    {
        operation.firstStep = made.steps;
        made.steps += operation.steps;
    }
    made.work[static_cast<std::size_t>(operation.stream)] += operation.GetWork();
    made.operations.push_back(std::move(operation));
    return static_cast<uint32_t>(made.operations.size() - 1);
}

} // namespace

void
OperationList::BeginPiece(uint32_t layer, LayerPiece piece)
{
    m_turn = layer * kLayerPieces + static_cast<uint32_t>(piece);
}

void
OperationList::SetLayer(const std::optional<uint32_t>& layer)
{
    m_layer = layer;
}

uint32_t
OperationList::Add(Operation operation)
{
    operation.turn = m_turn;
    operation.layer = m_layer;
    return Append(m_made, std::move(operation));
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
    if (isAwaited && m_awaited && m_made.operations[*m_awaited].stream != operation.stream)
    {
        operation.after.push_back(*m_awaited); // a stream is in order by itself
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
    m_made.sent.front() = m_made.steps;
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

std::optional<uint32_t>
OperationList::ExchangeAwaited(const std::optional<uint32_t>& awaited)
{
    return std::exchange(m_awaited, awaited);
}

void
OperationList::SetComputed(const std::optional<uint32_t>& computed)
{
    m_computed = computed;
}

SlotOperations
MergeOperations(const SlotOperations& one, const SlotOperations& other)
{
    const std::array<const SlotOperations*, kMostPasses> passes{&one, &other};
    std::array<std::vector<uint32_t>, kMostPasses> numbers; // new numbers of merged operations
    std::array<std::vector<uint32_t>, kMostPasses> steps;   // new numbers of steps
    SlotOperations made;
    const auto take = [&](uint32_t pass) {
        Operation operation = passes[pass]->operations[numbers[pass].size()];
        operation.pass = pass;
        for (uint32_t& before : operation.after)
        {
            before = numbers[pass][before];
        }
        for (uint32_t step = 0; step < operation.steps; ++step)
        {
            steps[pass].push_back(made.steps + step);
        }
        numbers[pass].push_back(Append(made, std::move(operation)));
    };
    const auto isOver = [&](uint32_t pass) {
        return numbers[pass].size() == passes[pass]->operations.size();
    };
    const auto getTurn = [&](uint32_t pass) {
        return passes[pass]->operations[numbers[pass].size()].turn;
    };
    while (!isOver(0) || !isOver(1))
    {
        take(isOver(0) || (!isOver(1) && getTurn(1) < getTurn(0)) ? 1 : 0);
    }
    for (uint32_t pass = 0; pass < kMostPasses; ++pass)
    {
        if (const std::optional<uint32_t> sent = passes[pass]->sent.front())
        {
            made.sent[pass] = steps[pass][*sent];
        }
    }
    return made;
}

} // namespace ns3::rails
