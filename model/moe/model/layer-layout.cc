// SPDX-License-Identifier: GPL-2.0-only
#include "layer-layout.h"

#include "ns3/value-list.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// Expands the repetitions in a layout of Megatron-LM.
class LayoutReader
{
  public:
    explicit LayoutReader(const std::string& text)
        : m_text(text)
    {
    }

    std::string Expand()
    {
        std::string all = ReadItems();
        if (m_at < m_text.size())
        {
            Fail("')' closes nothing");
        }
        return all;
    }

  private:
    /// Reads to the end, or to the closing bracket.
    std::string ReadItems()
    {
        constexpr std::size_t most = 100'000;
        std::string all;
        for (Skip(); m_at < m_text.size() && m_text[m_at] != ')'; Skip())
        {
            const std::string item = ReadItem();
            const std::size_t times = ReadTimes();
            if (!item.empty() && times > (most - all.size()) / item.size())
            {
                Fail("this makes more than 100000 layers and parts");
            }
            for (std::size_t i = 0; i < times; ++i)
            {
                all += item;
            }
        }
        return all;
    }

    std::string ReadItem()
    {
        const char letter = m_text[m_at];
        if (letter == '(')
        {
            constexpr unsigned deepest = 100;
            if (++m_depth > deepest)
            {
                Fail("more than " + std::to_string(deepest) + " '(' are open");
            }
            const std::size_t begin = m_at++;
            std::string inside = ReadItems();
            --m_depth;
            if (m_at == m_text.size())
            {
                m_at = begin;
                Fail("'(' is not closed");
            }
            ++m_at;
            return inside;
        }
        if (std::string("EtmL|").find(letter) == std::string::npos)
        {
            std::size_t end = m_at + 1; // of a letter of several bytes
            while (end < m_text.size() && (static_cast<unsigned char>(m_text[end]) & 0xC0) == 0x80)
            {
                ++end;
            }
            Fail("unexpected '" + m_text.substr(m_at, end - m_at) + "'");
        }
        ++m_at;
        return std::string(1, letter);
    }

    /// \return repetitions of the item just read
    std::size_t ReadTimes()
    {
        Skip();
        if (m_at == m_text.size() || m_text[m_at] != '*')
        {
            return 1;
        }
        ++m_at;
        Skip();
        const auto isDigit = [this] {
            return m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]));
        };
        if (!isDigit())
        {
            Fail("'*' needs a number behind it");
        }
        std::size_t times = 0;
        for (; isDigit(); ++m_at)
        {
            times = std::min<std::size_t>(1'000'000, 10 * times + (m_text[m_at] - '0'));
        }
        return times;
    }

    void Skip()
    {
        m_at = std::min(m_text.find_first_not_of(" ,", m_at), m_text.size());
    }

    [[noreturn]] void Fail(const std::string& what) const
    {
        throw std::invalid_argument(what + " at character " + std::to_string(m_at + 1) + " of '" +
                                    m_text +
                                    "': expected even, a list of numbers of layers, or a layout "
                                    "such as Et|(tt|)*2tL");
    }

    const std::string& m_text;
    std::size_t m_at{0};
    unsigned m_depth{0};
};

void
CheckEnds(const std::string& all)
{
    if (all.front() != 'E' || std::count(all.begin(), all.end(), 'E') != 1)
    {
        throw std::invalid_argument("E, the embedding, is the first of the first part and nowhere "
                                    "else: begin with it, as in Et|tL");
    }
    if (all.back() != 'L' || std::count(all.begin(), all.end(), 'L') != 1)
    {
        throw std::invalid_argument("L, head and loss, is the last of the last part and nowhere "
                                    "else: end with it, as in Et|tL");
    }
    if (all.find('t', std::min(all.find('m'), all.size())) != std::string::npos)
    {
        throw std::invalid_argument("m, a layer of multi-token prediction, comes behind all t");
    }
}

} // namespace

uint32_t
LayerLayout::CountDealt(uint32_t modelLayers) const
{
    return modelLayers - predictions + (countsEmbedding ? 1 : 0) + (countsLoss ? 1 : 0);
}

void
LayerLayout::AddPredictions(uint32_t count)
{
    if (predictions > 0)
    {
        return;
    }
    predictions = count;
    if (!layers.empty())
    {
        layers.back() += count;
    }
}

std::pair<uint32_t, uint32_t>
LayerLayout::GetLayers(uint32_t part, uint32_t parts, uint32_t modelLayers) const
{
    if (!layers.empty())
    {
        const auto begin = layers.begin();
        const uint32_t first = std::accumulate(begin, begin + part, 0U);
        return {first, first + layers[part]};
    }
    const uint32_t dealt = CountDealt(modelLayers);
    const uint32_t ahead = countsEmbedding ? 1 : 0;
    // A remainder goes to the first parts, multi-token prediction layers to the last.
    const auto begin = [&](uint32_t number) {
        const uint32_t before = dealt / parts * number + std::min(number, dealt % parts);
        return std::min(std::max(before, ahead) - ahead, modelLayers - predictions);
    };
    return {begin(part), part + 1 == parts ? modelLayers : begin(part + 1)};
}

LayerLayout
LayerLayout::Parse(const std::string& text)
{
    LayerLayout layout;
    if (text.rfind("even", 0) == 0)
    {
        const std::string counted = text.substr(4);
        layout.countsEmbedding = counted.find("+embedding") == 0;
        layout.countsLoss = counted == "+loss" || counted == "+embedding+loss";
        if (counted.empty() || counted == "+embedding" || layout.countsLoss)
        {
            return layout;
        }
        throw std::invalid_argument("expected even, even+embedding, even+loss or "
                                    "even+embedding+loss, found " +
                                    text);
    }
    if (!text.empty() && text.front() == '[')
    {
        CountList list;
        std::istringstream stream(text);
        if (!(stream >> list) || list.Get().empty())
        {
            throw std::invalid_argument(
                "expected a list of numbers of layers, as [3, 2, 2], found " + text);
        }
        layout.layers = list.Get();
        return layout;
    }
    const std::string all = LayoutReader(text).Expand();
    if (all.empty())
    {
        throw std::invalid_argument("expected even, a list of numbers of layers, or a layout such "
                                    "as Et|(tt|)*2tL, found nothing");
    }
    CheckEnds(all);
    layout.layers = {0};
    for (const char letter : all)
    {
        if (letter == '|')
        {
            layout.layers.push_back(0);
        }
        layout.layers.back() += letter == 't' || letter == 'm' ? 1 : 0;
        layout.predictions += letter == 'm' ? 1 : 0;
    }
    return layout;
}

} // namespace ns3::rails
