// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_TOTALS_H
#define FILE_TOTALS_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Sums over files, each remembered as long as its file stays as it is: thousands of points of a
 * sweep then read a large file once.
 */
class FileTotals
{
  public:
    /**
     * \param path a file
     * \param selection what of it is summed up, in the words of the caller
     * \param read reads the file and sums it up; what it throws is passed on, and not remembered
     * \return the sum
     */
    uint64_t Get(const std::string& path,
                 const std::vector<uint64_t>& selection,
                 const std::function<uint64_t()>& read);

  private:
    /// What differs when a file was replaced or written to.
    struct Stamp
    {
        uint64_t device{0};
        uint64_t inode{0};
        uint64_t bytes{0};
        int64_t written{0}; //!< in nanoseconds since 1970
        int64_t changed{0}; //!< the same with its name and rights

        bool operator==(const Stamp& other) const;
    };

    struct Total
    {
        Stamp stamp;
        uint64_t sum{0};
    };

    /// \return false when there is no such file
    static bool ReadStamp(const std::string& path, Stamp& stamp);

    std::map<std::pair<std::string, std::vector<uint64_t>>, Total> m_totals;
};

} // namespace ns3::rails

#endif // FILE_TOTALS_H
