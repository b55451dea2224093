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

/// placement.csv: which GPUs have which experts, and what these compute. Rows are written as they
/// come, and not kept.
class PlacementTable
{
  public:
    /**
     * \param folder of the run
     * \throws OutputError when nothing can be written there
     */
    explicit PlacementTable(const std::string& folder);

    /**
     * Adds the rows of a layer; layers come in the order of iterations and layers.
     * \param copies by expert and GPU
     */
    void Add(uint32_t iteration, uint32_t layer, const std::vector<ExpertCopy>& copies);

    /// The last row has come. \throws OutputError when something was not written
    void Close();

  private:
    void Check() const;

    std::filesystem::path m_path;
    std::ofstream m_file;
};

} // namespace ns3::rails

#endif // PLACEMENT_TABLE_H
