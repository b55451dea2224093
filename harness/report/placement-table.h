// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLACEMENT_TABLE_H
#define PLACEMENT_TABLE_H

#include "ns3/expert-copy.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Writes placement.csv: the experts of each GPU and the tokens that they compute. Streams the rows
/// instead of keeping them.
class PlacementTable
{
  public:
    /**
     * \param folder of the run
     * \throws OutputError when the file cannot be written
     */
    explicit PlacementTable(const std::string& folder);

    /**
     * Adds the rows of a layer; layers come in the order of iterations and layers.
     * \param copies replicas, sorted by expert and GPU
     */
    void Add(uint32_t iteration, uint32_t layer, const std::vector<ExpertCopy>& copies);

    /// Ends the table after its last row. \throws OutputError when writing failed
    void Close();

  private:
    void Check() const;

    std::filesystem::path m_path;
    std::ofstream m_file;
};

} // namespace ns3::rails

#endif // PLACEMENT_TABLE_H
