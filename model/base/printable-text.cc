// SPDX-License-Identifier: GPL-2.0-only
#include "printable-text.h"

#include <algorithm>
#include <cstdint>

namespace ns3::rails
{

namespace
{

constexpr std::string_view kDigits = "0123456789abcdef";

/// \return true for a byte that every terminal takes for a letter, or for the end of a line
bool
IsPlain(char letter)
{
    const auto code = static_cast<unsigned char>(letter);
    return (code >= ' ' && code < 0x7f) || letter == '\n' || letter == '\t';
}

/// \return the number of the character in some bytes of UTF-8
uint32_t
Decode(std::string_view bytes)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    if (bytes.size() == 1)
    {
        return byte(0);
    }
    uint32_t code = byte(0) & (0xffU >> (bytes.size() + 1));
    for (std::size_t i = 1; i < bytes.size(); ++i)
    {
        code = (code << 6) | (byte(i) & 0x3fU);
    }
    return code;
}

/// \return true for a character that a terminal acts on, or that changes the order of others
bool
IsControl(uint32_t code)
{
    const bool isMark = code == 0x61c || code == 0x200e || code == 0x200f;
    return code < ' ' || (code >= 0x7f && code <= 0x9f) || isMark ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string
EscapeCode(uint32_t code)
{
    std::string escaped = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
    {
        escaped += kDigits[(code >> shift) & 0xfU];
    }
    return escaped;
}

std::string
EscapeByte(char letter)
{
    const auto code = static_cast<unsigned char>(letter);
    return {'\\', 'x', kDigits[code >> 4], kDigits[code & 0xfU]};
}

/// \return true when the bytes may be the beginning of a character of which more come
bool
IsBegun(std::string_view bytes)
{
    const auto lead = static_cast<unsigned char>(bytes.front());
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    return lead >= 0xc2 && lead <= 0xf4 && bytes.size() < length &&
           std::all_of(bytes.begin() + 1, bytes.end(), [](char letter) {
               return (static_cast<unsigned char>(letter) & 0xc0) == 0x80;
           });
}

/**
 * Escapes a text up to an incomplete character at its end.
 * \param[in,out] text reduced to the rest that is not escaped
 */
std::string
TakeEscaped(std::string_view& text)
{
    std::string escaped;
    while (!text.empty())
    {
        const auto plain = std::find_if_not(text.begin(), text.end(), IsPlain);
        const auto length = static_cast<std::size_t>(plain - text.begin());
        escaped += text.substr(0, length);
        text.remove_prefix(length);
        const std::size_t bytes = text.empty() ? 0 : Utf8Length(text, 0);
        if (bytes > 0)
        {
            const uint32_t code = Decode(text.substr(0, bytes));
            escaped += IsControl(code) ? EscapeCode(code) : std::string(text.substr(0, bytes));
            text.remove_prefix(bytes);
        }
        else if (!text.empty() && !IsBegun(text))
        {
            escaped += EscapeByte(text.front());
            text.remove_prefix(1);
        }
        else
        {
            break;
        }
    }
    return escaped;
}

} // namespace

std::size_t
Utf8Length(std::string_view text, std::size_t begin)
{
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const unsigned lead = byte(begin);
    if (lead < 0x80)
    {
        return 1;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4)
    {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i)
    {
        if ((byte(begin + i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    const bool overlong =
        (lead == 0xe0 && byte(begin + 1) < 0xa0) || (lead == 0xf0 && byte(begin + 1) < 0x90);
    const bool surrogate = lead == 0xed && byte(begin + 1) >= 0xa0;
    const bool beyond = lead == 0xf4 && byte(begin + 1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

std::string
EscapeForTerminal(std::string_view text)
{
    std::string escaped = TakeEscaped(text);
    for (const char letter : text) // an incomplete character at the end
    {
        escaped += EscapeByte(letter);
    }
    return escaped;
}

std::string
MakeOneLine(std::string_view text, std::size_t most)
{
    std::size_t length = std::min(text.size(), most);
    while (length < text.size() && length > 0 &&
           (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    {
        --length; // not in the middle of a character
    }
    std::string line;
    for (const char letter : EscapeForTerminal(text.substr(0, length)))
    {
        line += letter == '\n' ? "\\n" : letter == '\t' ? "\\t" : std::string(1, letter);
    }
    return length < text.size() ? line + "..." : line;
}

PrintGuard::PrintGuard(std::ostream& stream, std::size_t longestLine)
    : m_stream(stream),
      m_target(stream.rdbuf()),
      m_longestLine(longestLine)
{
    const std::ios::iostate state = stream.rdstate();
    stream.rdbuf(this); // also clears the error state of the stream
    stream.setstate(state);
}

PrintGuard::~PrintGuard()
{
    Write(EscapeForTerminal(m_begun));
    const std::ios::iostate state = m_stream.rdstate();
    m_stream.rdbuf(m_target);
    m_stream.setstate(state);
}

PrintGuard::int_type
PrintGuard::overflow(int_type letter)
{
    const char text = traits_type::to_char_type(letter);
    return xsputn(&text, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize
PrintGuard::xsputn(const char* text, std::streamsize length)
{
    std::string_view rest(text, static_cast<std::size_t>(length));
    if (m_begun.empty() && std::all_of(rest.begin(), rest.end(), IsPlain))
    {
        return Write(rest) ? length : 0;
    }
    const std::string whole = m_begun + std::string(rest);
    rest = whole;
    const std::string escaped = TakeEscaped(rest);
    m_begun = rest;
    return Write(escaped) ? length : 0;
}

int
PrintGuard::sync()
{
    return m_target->pubsync();
}

/// \return false when it could not be written
bool
PrintGuard::Write(std::string_view text)
{
    if (m_longestLine == std::numeric_limits<std::size_t>::max())
    {
        const auto length = static_cast<std::streamsize>(text.size());
        return m_target->sputn(text.data(), length) == length;
    }
    std::string shown;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::size_t room = m_longestLine - std::min(m_longestLine, m_column);
        shown += text.substr(0, std::min(end, room));
        shown += m_column <= m_longestLine && m_column + end > m_longestLine ? "..." : "";
        m_column += end;
        text.remove_prefix(end);
        if (!text.empty())
        {
            shown += '\n';
            m_column = 0;
            text.remove_prefix(1);
        }
    }
    const auto length = static_cast<std::streamsize>(shown.size());
    return m_target->sputn(shown.data(), length) == length;
}

} // namespace ns3::rails
