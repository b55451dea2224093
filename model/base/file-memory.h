// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_MEMORY_H
#define FILE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A stamp of a file, which changes when the file is replaced or written.
class FileStamp
{
  public:
    /// \return the stamp of a file; empty when the file does not exist
    static std::optional<FileStamp> Read(const std::string& path);

    bool operator==(const FileStamp& other) const;

    /// \return false when the last change is so recent that another may leave the stamp the same
    bool IsSettled() const;

  private:
    uint64_t m_device{0};
    uint64_t m_inode{0};
    uint64_t m_bytes{0};
    int64_t m_written{0}; //!< mtime, in nanoseconds since 1970
    int64_t m_changed{0}; //!< ctime, in nanoseconds since 1970
};

/**
 * Caches values read from files until a file changes: thousands of sweep points then read a large
 * file once.
 * \tparam Value type of the values; cheap to copy
 */
template <typename Value>
class FileMemory
{
  public:
    /**
     * \param path a file
     * \param selection part of the file; the meaning is the caller's
     * \param read reads the file and returns a Value; its exceptions pass and cache nothing
     * \return the value
     */
    template <typename Read>
    Value Get(const std::string& path, const std::vector<uint64_t>& selection, const Read& read)
    {
        const std::optional<FileStamp> stamp = FileStamp::Read(path);
        if (!stamp)
        {
            return read(); // throws the error message
        }
        const std::pair<std::string, std::vector<uint64_t>> key{path, selection};
        const auto known = m_values.find(key);
        if (known != m_values.end() && known->second.first == *stamp)
        {
            return known->second.second;
        }
        const bool isSettled = stamp->IsSettled(); // checked before reading
        Value value = read();
        if (isSettled)
        {
            if (m_values.size() >= kMostValues)
            {
                m_values.clear();
            }
            m_values.insert_or_assign(key, std::make_pair(*stamp, value));
        }
        return value;
    }

  private:
    static constexpr std::size_t kMostValues = 100'000;

    /// By path and selection.
    std::map<std::pair<std::string, std::vector<uint64_t>>, std::pair<FileStamp, Value>> m_values;
};

} // namespace ns3::rails

#endif // FILE_MEMORY_H
