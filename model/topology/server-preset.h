// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_PRESET_H
#define SERVER_PRESET_H

#include "intra-topology.h"

#include "ns3/attribute.h"

#include <cstdint>

namespace ns3::rails
{

/// Commercial servers and servers of papers.
enum ServerName
{
    NO_SERVER, //!< no preset: the keys describe the server
    DGX_A100,
    DGX_H100,
    DGX_B200,
    GB200_NVL72,
    H800_DEEPEP,
    H20_4NIC,
    PRO_PROPHET_HPWNV,
    PRO_PROPHET_HPNV,
    PRO_PROPHET_LPWNV,
    MICRO_MOE
};

/// Properties of a server.
struct ServerPreset
{
    uint32_t gpus{0};
    uint32_t nics{0};
    uint64_t nicRateBps{0};
    uint64_t nvlinkRateBps{0}; //!< of a GPU, each direction; 0: no NVLink
    Ptr<IntraTopology> intra;  //!< interconnect of GPUs and NICs
};

/// \return the properties of a server; empty for NO_SERVER
ServerPreset MakeServerPreset(ServerName name);

/// \return the checker of an attribute that names a server
Ptr<const AttributeChecker> MakeServerNameChecker();

} // namespace ns3::rails

#endif // SERVER_PRESET_H
