// SPDX-License-Identifier: GPL-2.0-only
#include "server-preset.h"

#include "nvswitch-intra-topology.h"
#include "pairs-intra-topology.h"
#include "pcie-intra-topology.h"

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

namespace
{

constexpr uint64_t kGbps = 1'000'000'000;
// 16 lanes at 8 GT/s with 128b/130b encoding.
constexpr uint64_t kPcie3 = 126 * kGbps;
// The payload of 16 lanes at 16 and 32 GT/s: packets carry 256 B and 24 B of headers (Neugebauer et
// al., SIGCOMM 2018, section 3).
constexpr uint64_t kPcie4 = 252 * kGbps * 256 / 280;
constexpr uint64_t kPcie5 = 504 * kGbps * 256 / 280;
// The payload rate of a GPU's links per direction: NCCL's rate of a link (src/graph/topo.h), at
// line rates of 25, 25 and 50 GB/s.
constexpr uint64_t kNvlinkA100 = 12 * 8 * (kGbps * 200 / 10);
constexpr uint64_t kNvlinkH100 = 18 * 8 * (kGbps * 206 / 10);
constexpr uint64_t kNvlinkB200 = 18 * 8 * (kGbps * 401 / 10);

template <typename Intra>
Ptr<IntraTopology>
MakeIntra(uint64_t pcieRateBps)
{
    Ptr<Intra> intra = CreateObject<Intra>();
    intra->SetAttribute("PcieRate", DataRateValue(DataRate(pcieRateBps)));
    return intra;
}

} // namespace

ServerPreset
MakeServerPreset(ServerName name)
{
    switch (name)
    {
    case DGX_A100: // NVIDIA DGX A100 data sheet: NVLink 600 GB/s, 8 ConnectX-6 HDR
        return {8, 8, 200 * kGbps, kNvlinkA100, MakeIntra<NvswitchIntraTopology>(kPcie4)};
    case DGX_H100: // NVIDIA DGX H100 data sheet: NVLink 900 GB/s, 8 ConnectX-7
        return {8, 8, 400 * kGbps, kNvlinkH100, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case DGX_B200: // NVIDIA DGX B200 data sheet: NVLink 1.8 TB/s, 8 ConnectX-7
        return {8, 8, 400 * kGbps, kNvlinkB200, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case GB200_NVL72: // NVIDIA GB200 NVL72: 18 trays of 4 GPUs with 4 ConnectX-7
        return {72, 72, 400 * kGbps, kNvlinkB200, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case H800_DEEPEP: // DeepEP's README: NVLink about 160 GB/s, ConnectX-7 400 Gb/s
        return {8, 8, 400 * kGbps, 1280 * kGbps, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case H20_4NIC: // H20: NVLink 900 GB/s; two GPUs to a NIC
        return {8, 4, 400 * kGbps, kNvlinkH100, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case PRO_PROPHET_HPWNV: // arXiv 2411.10003, section VI-A: RTX 3090, two to a socket
    case PRO_PROPHET_LPWNV: // the same with RTX 2080 Ti
        return {4, 1, 100 * kGbps, 0, MakeIntra<PcieIntraTopology>(kPcie3)};
    case PRO_PROPHET_HPNV: // the same with NVLink bridges of 112.5 GB/s
        return {4, 1, 100 * kGbps, 450 * kGbps, MakeIntra<PairsIntraTopology>(kPcie3)};
    case MICRO_MOE: // arXiv 2511.16947: H100 SXM, NVLink 900 GB/s, 2 x 400 Gb/s
        return {8, 2, 400 * kGbps, 3600 * kGbps, MakeIntra<NvswitchIntraTopology>(kPcie5)};
    case NO_SERVER:
        break;
    }
    return {};
}

Ptr<const AttributeChecker>
MakeServerNameChecker()
{
    return MakeEnumChecker(NO_SERVER,
                           "none",
                           DGX_A100,
                           "dgx-a100",
                           DGX_H100,
                           "dgx-h100",
                           DGX_B200,
                           "dgx-b200",
                           GB200_NVL72,
                           "gb200-nvl72",
                           H800_DEEPEP,
                           "h800-deepep",
                           H20_4NIC,
                           "h20-4nic",
                           PRO_PROPHET_HPWNV,
                           "pro-prophet-hpwnv",
                           PRO_PROPHET_HPNV,
                           "pro-prophet-hpnv",
                           PRO_PROPHET_LPWNV,
                           "pro-prophet-lpwnv",
                           MICRO_MOE,
                           "micro-moe");
}

} // namespace ns3::rails
