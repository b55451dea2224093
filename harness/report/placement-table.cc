// SPDX-License-Identifier: GPL-2.0-only
#include "placement-table.h"

#include "rails-output-folder.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace ns3::rails
{

namespace
{

const char*
GetName(ExpertRole role)
{
    switch (role)
    {
    case ExpertRole::Home:
        return "home";
    case ExpertRole::Replica:
        return "replica";
    case ExpertRole::Copy:
        return "copy";
    }
    throw std::logic_error("a role without a name");
}

} // namespace

PlacementTable::PlacementTable(const std::string& folder)
    : m_path(std::filesystem::path(folder) / "placement.csv")
{
    errno = 0;
    m_file.open(m_path, std::ios::binary | std::ios::trunc);
    m_file << "iteration,layer,expert,gpu,role,tokens\n";
    Check();
}

void
PlacementTable::Add(uint32_t iteration, uint32_t layer, const std::vector<ExpertCopy>& copies)
{
    errno = 0;
    for (const ExpertCopy& copy : copies)
    {
        m_file << iteration << ',' << layer << ',' << copy.expert << ',' << copy.gpu << ','
               << GetName(copy.role) << ',' << copy.tokens << '\n';
    }
    Check();
}

void
PlacementTable::Close()
{
    errno = 0;
    m_file.close();
    Check();
}

void
PlacementTable::Check() const
{
    if (const std::error_code error = FindWriteError(m_file))
    {
        throw OutputError(m_path, "cannot be written", error);
    }
}

} // namespace ns3::rails
