// SPDX-License-Identifier: GPL-2.0-only
#include "rails-diagnostic.h"

#include "ns3/printable-text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

std::string
Join(const std::vector<Diagnostic>& diagnostics)
{
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
    {
        text += (text.empty() ? "" : "\n") + diagnostic.ToString();
    }
    return text;
}

} // namespace

std::string
Place::ToString() const
{
    if (line == 0)
    {
        return source;
    }
    return source + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string
Diagnostic::ToString(const std::string& kind) const
{
    return MakeOneLine(place.ToString() + ": " + kind + ": " + message);
}

DescriptorError::DescriptorError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(Join(diagnostics)),
      m_diagnostics(std::move(diagnostics))
{
}

DescriptorError::DescriptorError(const Place& place, const std::string& message)
    : DescriptorError(std::vector<Diagnostic>{{place, message}})
{
}

void
DiagnosticList::Add(const Place& place, const std::string& message)
{
    if (m_known.insert({place.source, place.line, place.column, message}).second)
    {
        m_diagnostics.push_back({place, message});
    }
}

void
DiagnosticList::Add(const DescriptorError& error)
{
    for (const Diagnostic& diagnostic : error.GetDiagnostics())
    {
        Add(diagnostic.place, diagnostic.message);
    }
}

bool
DiagnosticList::IsEmpty() const
{
    return m_diagnostics.empty();
}

std::vector<Diagnostic>
DiagnosticList::GetSorted() const
{
    std::vector<Diagnostic> sorted = m_diagnostics;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& left, const auto& right) {
        return std::tie(left.place.line, left.place.column) <
               std::tie(right.place.line, right.place.column);
    });
    return sorted;
}

void
DiagnosticList::ThrowIfAny() const
{
    if (!m_diagnostics.empty())
    {
        throw DescriptorError(GetSorted());
    }
}

} // namespace ns3::rails
