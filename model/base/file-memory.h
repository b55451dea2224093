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

/// A stamp of a file: a file that was replaced or written to has another one.
class FileStamp
{
  public:
    /// \return the stamp of a file; none when there is no such file
    static std::optional<FileStamp> Read(const std::string& path);

    bool operator==(const FileStamp& other) const;

    /// \return false when the file was changed so lately that it may change again without another
    /// stamp
    bool IsSettled() const;

  private:
    uint64_t m_device{0};
    uint64_t m_inode{0};
    uint64_t m_bytes{0};
    int64_t m_written{0}; //!< in nanoseconds since 1970
    int64_t m_changed{0}; //!< content, name or rights, in nanoseconds since 1970
};

/**
 * What was read from files, each remembered as long as its file stays as it is: thousands of points
 * of a sweep then read a large file once.
 * \tparam Value what is remembered; cheap to copy
 */
template <typename Value>
class FileMemory
{
  public:
    /**
     * \param path a file
     * \param selection which part of the file is asked for, in the words of the caller
     * \param read reads the file and returns a Value; exceptions are passed on, and not remembered
     * \return the value
     */
    template <typename Read>
    Value Get(const std::string& path, const std::vector<uint64_t>& selection, const Read& read)
    {
        const std::optional<FileStamp> stamp = FileStamp::Read(path);
        if (!stamp)
        {
            return read(); // which says what is wrong
        }
        const std::pair<std::string, std::vector<uint64_t>> key{path, selection};
        const auto known = m_values.find(key);
        if (known != m_values.end() && known->second.first == *stamp)
        {
            return known->second.second;
        }
        const bool isSettled = stamp->IsSettled(); // before it is read
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

    /// By file and selection.
    std::map<std::pair<std::string, std::vector<uint64_t>>, std::pair<FileStamp, Value>> m_values;
};

} // namespace ns3::rails

#endif // FILE_MEMORY_H
