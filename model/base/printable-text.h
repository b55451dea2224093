// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRINTABLE_TEXT_H
#define PRINTABLE_TEXT_H

#include <cstddef>
#include <limits>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace ns3::rails
{

/// \return bytes of the UTF-8 character that begins at `begin`; 0 without a valid character
std::size_t Utf8Length(std::string_view text, std::size_t begin);

/**
 * \param text from an untrusted source: a label, a name, a cell of a table
 * \return the text, safe for a terminal: control characters and changes of the writing direction
 * are escaped (\\u001b), as are bytes that are not UTF-8 (\\xff); line breaks and tabs stay
 */
std::string EscapeForTerminal(std::string_view text);

/**
 * \param text from an untrusted source
 * \param most bytes of the text; the rest is cut
 * \return the text, safe for a terminal and in one line
 */
std::string MakeOneLine(std::string_view text, std::size_t most = 2000);

/**
 * Escapes all output to a stream, as EscapeForTerminal() does, until it is destroyed.
 */
class PrintGuard : public std::streambuf
{
  public:
    /**
     * \param stream standard output, or standard error
     * \param longestLine bytes; the rest of a longer line is cut
     */
    explicit PrintGuard(std::ostream& stream,
                        std::size_t longestLine = std::numeric_limits<std::size_t>::max());
    ~PrintGuard() override;

    PrintGuard(const PrintGuard&) = delete;
    PrintGuard& operator=(const PrintGuard&) = delete;

  protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize length) override;
    int sync() override;

  private:
    bool Write(std::string_view text);

    std::ostream& m_stream;
    std::streambuf* m_target;
    std::size_t m_longestLine;
    std::size_t m_column{0}; //!< bytes of this line so far
    std::string m_begun;     //!< first bytes of an incomplete character
};

} // namespace ns3::rails

#endif // PRINTABLE_TEXT_H
