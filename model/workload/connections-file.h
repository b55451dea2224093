// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONNECTIONS_FILE_H
#define CONNECTIONS_FILE_H

#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// One message of a connection list.
struct Connection
{
    uint32_t source{0};
    uint32_t destination{0};
    uint64_t bytes{0};
    TimePs start{0};
};

/**
 * Reads a list of connections in one of two forms: CSV, "source,destination,bytes" or
 * "source,destination,bytes,start" with the start as a time ("5us"), with or without these names as
 * a first line; or a connection matrix of htsim, "Nodes 16", "Connections 2", and lines such as
 * "0->5 id 1 start 0 size 1048576", where the start is in picoseconds.
 * \param path the file
 * \param shape the cluster
 * \return the connections in the order of the file
 * \throws ConfigurationError with the key "path" and the place in the file
 */
std::vector<Connection> ReadConnections(const std::string& path, const ClusterShape& shape);

} // namespace ns3::rails

#endif // CONNECTIONS_FILE_H
