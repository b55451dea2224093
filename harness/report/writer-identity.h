// SPDX-License-Identifier: GPL-2.0-only
#ifndef WRITER_IDENTITY_H
#define WRITER_IDENTITY_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

/// Whether a writing process is alive.
enum class WriterState
{
    Living,
    Dead,
    Unknown //!< on another machine or in another container
};

/**
 * Exact identity of a process that writes files or holds a lock. A process number is not enough:
 * folders are shared between machines and containers, and numbers are reused. Host, boot and
 * namespace are hashes, as the names of hidden files are published with their folders.
 */
struct WriterIdentity
{
    std::string host;      //!< 12 digits
    std::string boot;      //!< 12 digits, which change with a restart of the host
    std::string processes; //!< 12 digits of the process-number namespace
    int process{0};
    uint64_t start{0}; //!< start of the process, in system ticks; 0 when unknown

    /// \return this process
    static WriterIdentity OfThisProcess();

    /// \return the identity from a text of ToText(); nothing for other texts
    static std::optional<WriterIdentity> Parse(const std::string& text);

    /// \return letters, digits and four hyphens
    std::string ToText() const;

    WriterState GetState() const;

    /// \return a description for people: "process 123 on this machine"
    std::string Describe() const;

    bool operator==(const WriterIdentity& other) const;
};

} // namespace ns3::rails

#endif // WRITER_IDENTITY_H
