// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_SCHEME_H
#define EXCHANGE_SCHEME_H

#include "ns3/object.h"
#include "ns3/rails-quantity.h"

#include <cstdint>

namespace ns3::rails
{

/// How tokens go to their experts and back, in plain numbers.
struct ExchangeChoice
{
    bool deduplicates{false}; //!< a token travels once to each server, and once to each GPU there
    uint64_t piece{0};        //!< bytes after which what comes off a NIC is passed on; 0: all
    uint32_t sms{0};          //!< streaming multiprocessors that its kernels hold
};

/**
 * \param bytes of a message between servers, in the mean
 * \param piece see ExchangeChoice
 * \return in how many pieces it is passed on, so many at most that messages stay few
 */
uint32_t CountPieces(double bytes, uint64_t piece);

/// How tokens go to their experts and back: `exchange` of a workload.
class ExchangeScheme : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the same as plain numbers
    virtual ExchangeChoice Get() const;

  private:
    uint32_t m_sms;
};

/// `pairs`
class PairsExchangeScheme : public ExchangeScheme
{
  public:
    static TypeId GetTypeId();
};

/// `deduplicated`
class DeduplicatedExchangeScheme : public ExchangeScheme
{
  public:
    static TypeId GetTypeId();
    ExchangeChoice Get() const override;

  private:
    ByteSize m_piece;
};

} // namespace ns3::rails

#endif // EXCHANGE_SCHEME_H
