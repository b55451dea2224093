// SPDX-License-Identifier: GPL-2.0-only
#include "copy-topology.h"

namespace ns3::rails
{

CopyTopology
MakeCubeTopology()
{
    return {{3, 6}, {0, 7}, {1, 4}, {2, 5}, {7, 0}, {4, 1}, {5, 2}, {6, 3}};
}

CopyTopology
MakeRingTopology(uint32_t gpus)
{
    CopyTopology topology;
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        topology.push_back({(gpu + 1) % gpus});
    }
    return topology;
}

CopyTopology
MakeHypercubeTopology()
{
    CopyTopology topology;
    for (uint32_t gpu = 0; gpu < 16; ++gpu)
    {
        topology.push_back({gpu / 4 * 4 + (gpu + 3) % 4, (gpu + 12) % 16});
    }
    return topology;
}

CopyTopology
MakeTorusTopology(uint32_t rows, uint32_t columns)
{
    CopyTopology topology;
    for (uint32_t row = 0; row < rows; ++row)
    {
        for (uint32_t column = 0; column < columns; ++column)
        {
            topology.push_back(
                {(row + 1) % rows * columns + column, row * columns + (column + 1) % columns});
        }
    }
    return topology;
}

} // namespace ns3::rails
