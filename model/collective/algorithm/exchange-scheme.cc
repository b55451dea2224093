// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-scheme.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ExchangeScheme);
NS_OBJECT_ENSURE_REGISTERED(PairsExchangeScheme);
NS_OBJECT_ENSURE_REGISTERED(DeduplicatedExchangeScheme);

uint32_t
CountPieces(double bytes, uint64_t piece)
{
    constexpr double most = 16; // the last one is what NVLink adds to the time of a NIC
    const double pieces = piece == 0 ? 1 : std::ceil(bytes / static_cast<double>(piece));
    return static_cast<uint32_t>(std::clamp(pieces, 1.0, most));
}

TypeId
ExchangeScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::ExchangeScheme")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Sms",
                          "Streaming multiprocessors of a GPU that the kernels of the exchange "
                          "hold while it lasts, of a training: fewer than compute.sms; copy "
                          "engines hold none. "
                          "(Megatron-LM gives DeepEP 20, HybridEP 16.)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ExchangeScheme::m_sms),
                          MakeCountRange<uint32_t>(0, 10'000));
    return tid;
}

ExchangeChoice
ExchangeScheme::Get() const
{
    return {false, 0, m_sms};
}

TypeId
PairsExchangeScheme::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::PairsExchangeScheme").SetParent<ExchangeScheme>(),
                         "A copy of a token for each of its experts.")
            .SetGroupName("Rails")
            .AddConstructor<PairsExchangeScheme>();
    return tid;
}

TypeId
DeduplicatedExchangeScheme::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::DeduplicatedExchangeScheme").SetParent<ExchangeScheme>(),
            "A copy of a token for each server with one of its experts, to the GPU in the "
            "same place there, and from it by NVLink one for each GPU; back the reverse, with "
            "sums. (DeepEP.)")
            .SetGroupName("Rails")
            .AddConstructor<DeduplicatedExchangeScheme>()
            .AddAttribute("Piece",
                          "Of a message between servers, after which what has come off a NIC goes "
                          "on over NVLink, or what has come over NVLink goes on to a NIC; at most "
                          "16 pieces, which are larger then. 0B: the whole message. (DeepEP V2, "
                          "HybridEP and NCCL EP pass on pieces.)",
                          ByteSizeValue(ByteSize(0)),
                          MakeByteSizeAccessor(&DeduplicatedExchangeScheme::m_piece),
                          MakeByteRange(0));
    return tid;
}

ExchangeChoice
DeduplicatedExchangeScheme::Get() const
{
    ExchangeChoice choice = ExchangeScheme::Get();
    choice.deduplicates = true;
    choice.piece = m_piece.Get();
    return choice;
}

} // namespace ns3::rails
