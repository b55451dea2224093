// SPDX-License-Identifier: GPL-2.0-only
#ifndef WRITERS_H
#define WRITERS_H

#include "ns3/writer-identity.h"

#include <climits>
#include <filesystem>

namespace ns3::rails
{

/// \return a process of this machine that has ended
inline WriterIdentity
MakeDeadWriter()
{
    WriterIdentity writer = WriterIdentity::OfThisProcess();
    writer.process = INT_MAX; // more than a system numbers
    return writer;
}

/// \return a process that nobody here can see
inline WriterIdentity
MakeUnknownWriter()
{
    WriterIdentity writer = WriterIdentity::OfThisProcess();
    writer.host = "0123456789ab";
    return writer;
}

/// \return where a process writes for a place
inline std::filesystem::path
MakePathOf(const WriterIdentity& writer, const std::filesystem::path& place)
{
    return place.parent_path() /
           ("." + place.filename().string() + ".partial-" + writer.ToText() + "-0123456789abcdef");
}

} // namespace ns3::rails

#endif // WRITERS_H
