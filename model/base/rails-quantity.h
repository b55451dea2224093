// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_QUANTITY_H
#define RAILS_QUANTITY_H

#include "rails-units.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

/// Dimension of a number, and with it the units that may follow it.
enum class Dimension
{
    Time,   //!< ps, ns, us, ms, s
    Rate,   //!< bps, Kbps, Mbps, Gbps, Tbps (bit/s, powers of 1000)
    Bytes,  //!< B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers of 1024)
    Count,  //!< a decimal integer without unit
    Number, //!< a decimal number without unit, possibly negative or with an exponent
    Switch  //!< true or false
};

/// A text that is not a quantity of its dimension; what() names the nearest valid text.
class QuantityError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * \param text number and unit without a space between them: `500ns`, `0.3ns`, `1.5us`
 * \return the time; it must be a whole number of picoseconds
 * \throws QuantityError
 */
TimePs ParseTime(const std::string& text);

/**
 * \param text number and unit: `400Gbps`, `12.5Gbps`
 * \return the rate in bit/s; it must be a whole number
 * \throws QuantityError
 */
uint64_t ParseRate(const std::string& text);

/**
 * \param text number and unit: `4096B`, `400KB`, `1.5MiB`
 * \return a whole number of bytes, smaller than ByteSize::Automatic()
 * \throws QuantityError
 */
uint64_t ParseBytes(const std::string& text);

/**
 * \param text decimal digits without sign and leading zeros
 * \throws QuantityError
 */
uint64_t ParseCount(const std::string& text);

/**
 * \param text a decimal number: `0.2`, `1`, `-3`, `1e-3`
 * \throws QuantityError
 */
double ParseNumber(const std::string& text);

/**
 * \param text `true` or `false`
 * \throws QuantityError
 */
bool ParseSwitch(const std::string& text);

/// \return the shortest exact text in one unit, which ParseTime() reads back
std::string FormatTime(TimePs time);
/// \return the shortest exact text in one unit, which ParseRate() reads back
std::string FormatRate(uint64_t bps);
/// \return an exact text in one unit, which ParseBytes() reads back
std::string FormatBytes(uint64_t bytes);
/// \return bytes rounded up to three digits: "1.24 GB"
std::string FormatRoundBytes(double bytes);
/// \return the shortest text that ParseNumber() reads back exactly
std::string FormatNumber(double number);
/// \return the time in seconds with all twelve decimals, exact
std::string FormatSeconds(TimePs time);

/// \return a description of valid values: "a time with its unit (ps, ns, us, ms, s)"
std::string DescribeDimension(Dimension dimension);
/// \return the dimension's name: "time"
std::string DimensionName(Dimension dimension);
/// \return the units of a dimension: "ps, ns, us, ms, s"; empty when it has none
std::string DimensionUnits(Dimension dimension);
/**
 * \param dimension one with units
 * \param withZero whether the expression accepts zero
 * \return a regular expression (ECMA 262) for texts of a quantity; it cannot check largest values
 * and fractions of powers of 1024
 */
std::string MakeQuantityPattern(Dimension dimension, bool withZero);

/// \return a number with `decimals` digits behind the point
std::string FormatFixed(double number, int decimals);

} // namespace ns3::rails

#endif // RAILS_QUANTITY_H
