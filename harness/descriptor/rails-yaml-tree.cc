// SPDX-License-Identifier: GPL-2.0-only
#include "rails-yaml-tree.h"

#include "ns3/printable-text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace ns3::rails
{

namespace
{

/// Far above any descriptor, and small enough that a wrong file does not fill the memory.
constexpr std::size_t kLargestFile = 4 << 20;
/// Aliases copy what they stand for; a few lines of them can stand for billions of nodes.
constexpr std::size_t kMostNodes = 200'000;
/// Many times the depth of any descriptor; what walks a tree may call itself.
constexpr std::size_t kDeepest = 100;

/// Makes places of one source.
class PlaceMaker
{
  public:
    PlaceMaker(std::string source, bool hasLines)
        : m_source(std::move(source)),
          m_hasLines(hasLines)
    {
    }

    Place At(const YAML::Mark& mark) const
    {
        // A null mark has the position -1.
        return At(std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1);
    }

    Place At(std::size_t line, std::size_t column) const
    {
        if (!m_hasLines)
        {
            return {m_source, 0, 0};
        }
        return {m_source, static_cast<uint32_t>(line), static_cast<uint32_t>(column)};
    }

  private:
    std::string m_source;
    bool m_hasLines;
};

/// \param begin position of the opening quote
/// \return position of the closing quote, or npos
std::size_t
FindClosingQuote(const std::string& text, std::size_t begin)
{
    const char quote = text[begin];
    for (std::size_t at = begin + 1; at < text.size(); ++at)
    {
        const bool escapes = quote == '"' ? text[at] == '\\'
                                          : text[at] == quote && text.compare(at + 1, 1, "'") == 0;
        if (escapes)
        {
            ++at;
        }
        else if (text[at] == quote)
        {
            return at;
        }
    }
    return std::string::npos;
}

std::optional<DescriptorError> FindUnclosed(const std::string& text, const PlaceMaker& places);

/// Builds the tree from the events of the YAML parser.
class TreeBuilder : public YAML::EventHandler
{
  public:
    /// \param text the document that the events come from
    TreeBuilder(const std::string& text, const PlaceMaker& places)
        : m_text(text),
          m_places(places)
    {
        for (std::size_t end = text.find('\n'); end != std::string::npos;
             end = text.find('\n', end + 1))
        {
            m_lineBegins.push_back(end + 1);
        }
    }

    /// \return the document
    YamlNode& GetRoot()
    {
        return m_root;
    }

    void OnDocumentStart(const YAML::Mark& mark) override
    {
        m_root.place = m_places.At(mark);
    }

    void OnDocumentEnd() override
    {
    }

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        YamlNode node;
        node.place = m_places.At(mark);
        Complete(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const auto known = m_anchors.find(anchor);
        if (known == m_anchors.end())
        {
            throw DescriptorError(m_places.At(mark), "an alias inside the value it stands for");
        }
        const Size size = Measure(known->second);
        Count(size.nodes - 1, m_places.At(mark)); // Complete() counts one
        CheckDepth(size.depth, m_places.At(mark));
        Complete(YamlNode(known->second), 0);
    }

    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override
    {
        YamlNode node;
        node.kind = YamlNode::Kind::Scalar;
        node.place = m_places.At(mark);
        node.quoted = tag == "!";
        node.text = value;
        RefuseTag(mark, tag);
        if (node.quoted)
        {
            RequireClosingQuote(mark);
        }
        Complete(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        RefuseTag(mark, tag);
        Open(YamlNode::Kind::List, mark, anchor);
    }

    void OnSequenceEnd() override
    {
        Close();
    }

    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        RefuseTag(mark, tag);
        Open(YamlNode::Kind::Map, mark, anchor);
    }

    void OnMapEnd() override
    {
        Close();
    }

  private:
    /// A list or map whose end has not come yet.
    struct Unfinished
    {
        YamlNode node;
        YAML::anchor_t anchor{0};
        bool hasKey{false}; //!< of a map: the next node is a value
        std::unordered_set<std::string> keys;
    };

    void RefuseTag(const YAML::Mark& mark, const std::string& tag) const
    {
        if (!tag.empty() && tag != "?" && tag != "!")
        {
            throw DescriptorError(m_places.At(mark),
                                  "a descriptor has no use for the YAML tag '" + tag + "'");
        }
    }

    /// The parser takes the end of the text for the end of the quotes, with all that is between.
    void RequireClosingQuote(const YAML::Mark& mark) const
    {
        const std::size_t at = m_text.find_first_of("'\"", FindPosition(mark));
        if (at == std::string::npos || FindClosingQuote(m_text, at) != std::string::npos)
        {
            return;
        }
        throw DescriptorError(m_places.At(mark), "the quotes that begin here are never closed");
    }

    /// \return where in the text a mark is
    std::size_t FindPosition(const YAML::Mark& mark) const
    {
        const auto line = static_cast<std::size_t>(std::max(mark.line, 0));
        return m_lineBegins.at(std::min(line, m_lineBegins.size() - 1)) +
               static_cast<std::size_t>(std::max(mark.column, 0));
    }

    void Open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor)
    {
        Unfinished open;
        open.node.kind = kind;
        open.node.place = m_places.At(mark);
        open.anchor = anchor;
        CheckDepth(1, open.node.place);
        m_open.push_back(std::move(open));
    }

    void Close()
    {
        Unfinished closed = std::move(m_open.back());
        m_open.pop_back();
        Complete(std::move(closed.node), closed.anchor);
    }

    /// How large a value is, itself included.
    struct Size
    {
        std::size_t nodes;
        std::size_t depth; //!< levels of lists and maps
    };

    static Size Measure(const YamlNode& node)
    {
        Size size{1, 0};
        const auto add = [&](const YamlNode& inner) {
            const Size inside = Measure(inner);
            size.nodes += inside.nodes;
            size.depth = std::max(size.depth, inside.depth);
        };
        for (const YamlNode& item : node.items)
        {
            add(item);
        }
        for (const YamlEntry& entry : node.entries)
        {
            add(entry.value);
        }
        const bool isLevel = node.kind == YamlNode::Kind::List || node.kind == YamlNode::Kind::Map;
        size.depth += isLevel ? 1 : 0;
        return size;
    }

    /// \param levels of lists and maps that come inside those that are open
    void CheckDepth(std::size_t levels, const Place& place) const
    {
        if (m_open.size() + levels > kDeepest)
        {
            throw DescriptorError(place,
                                  "more than " + std::to_string(kDeepest) +
                                      " lists and maps inside each other; this is not a "
                                      "descriptor");
        }
    }

    void Count(std::size_t nodes, const Place& place)
    {
        m_nodes += nodes;
        if (m_nodes > kMostNodes)
        {
            throw DescriptorError(place, "too many values; this is not a descriptor");
        }
    }

    void Complete(YamlNode node, YAML::anchor_t anchor)
    {
        if (anchor != 0)
        {
            Count(Measure(node).nodes, node.place); // kept twice
            m_anchors[anchor] = node;
        }
        Count(1, node.place);
        if (m_open.empty())
        {
            m_root = std::move(node);
        }
        else if (m_open.back().node.kind == YamlNode::Kind::List)
        {
            m_open.back().node.items.push_back(std::move(node));
        }
        else if (!m_open.back().hasKey)
        {
            AddKey(node);
        }
        else
        {
            YamlEntry& entry = m_open.back().node.entries.back();
            m_open.back().hasKey = false;
            if (node.kind == YamlNode::Kind::Null)
            {
                node.place = entry.place; // the parser only knows where the next token is
            }
            entry.value = std::move(node);
        }
    }

    void AddKey(const YamlNode& key)
    {
        YamlNode& map = m_open.back().node;
        m_open.back().hasKey = true;
        if (key.kind != YamlNode::Kind::Scalar)
        {
            // With a missing bracket the parser takes its content for a key.
            if (const std::optional<DescriptorError> unclosed = FindUnclosed(m_text, m_places))
            {
                throw *unclosed;
            }
            throw DescriptorError(key.place, "a key must be a name, not " + key.Describe());
        }
        if (key.text == "<<" && !key.quoted)
        {
            throw DescriptorError(key.place,
                                  "merge keys ('<<') are not understood here; write the keys out, "
                                  "or use an alias (*name) for a whole value");
        }
        if (!m_open.back().keys.insert(key.text).second)
        {
            throw DescriptorError(key.place,
                                  "key '" + key.text + "' is here twice; the first is at " +
                                      map.Find(key.text)->place.ToString());
        }
        map.entries.push_back({key.text, key.place, {}});
    }

    const std::string& m_text;
    std::vector<std::size_t> m_lineBegins{0};
    const PlaceMaker& m_places;
    YamlNode m_root;
    std::vector<Unfinished> m_open;
    std::map<YAML::anchor_t, YamlNode> m_anchors;
    std::size_t m_nodes{0};
};

/// What a text opens and never closes.
struct Unclosed
{
    std::size_t begin; //!< position in the text
    std::size_t end;   //!< of the bracket that closes another one first; that of the text without
};

/// Reads brackets and quotes of YAML, and nothing else of it.
class BracketReader
{
  public:
    explicit BracketReader(const std::string& text)
        : m_text(text)
    {
    }

    /// \return the innermost bracket that is never closed, or the quotes
    std::optional<Unclosed> FindUnclosed()
    {
        std::vector<std::size_t> open;
        bool begins =
            true; // whether a value may begin here: inside words quotes and # mean nothing
        for (std::size_t at = 0; at < m_text.size(); ++at)
        {
            const char letter = m_text[at];
            const bool isBracket = letter == '{' || letter == '[';
            if (begins && (letter == '\'' || letter == '"'))
            {
                const std::size_t end = FindClosingQuote(m_text, at);
                if (end == std::string::npos)
                {
                    return Unclosed{at, m_text.size()};
                }
                // Words right behind quotes over several lines: these close what begins with them.
                if (m_text.substr(at, end - at).find('\n') != std::string::npos &&
                    end + 1 < m_text.size() &&
                    std::isalnum(static_cast<unsigned char>(m_text[end + 1])))
                {
                    return Unclosed{at, end};
                }
                at = end;
                begins = false;
                continue;
            }
            if (letter == '#' &&
                (at == 0 || std::isspace(static_cast<unsigned char>(m_text[at - 1]))))
            {
                at = std::min(m_text.find('\n', at), m_text.size()) - 1;
                continue;
            }
            if (isBracket && (begins || !open.empty()))
            {
                open.push_back(at);
            }
            else if ((letter == '}' || letter == ']') && !open.empty())
            {
                if ((m_text[open.back()] == '{') != (letter == '}'))
                {
                    return Unclosed{open.back(), at};
                }
                open.pop_back();
            }
            begins = isBracket || (letter == ',' && !open.empty()) ||
                     (begins && std::isspace(static_cast<unsigned char>(letter))) ||
                     letter == '\n' || IsFollowedBySpace(at);
        }
        return open.empty() ? std::nullopt : std::optional(Unclosed{open.back(), m_text.size()});
    }

  private:
    /// \return true for the colon of a key and the dash of an item
    bool IsFollowedBySpace(std::size_t at) const
    {
        return (m_text[at] == ':' || m_text[at] == '-') && at + 1 < m_text.size() &&
               std::isspace(static_cast<unsigned char>(m_text[at + 1]));
    }

    const std::string& m_text;
};

/// \return an error about a bracket or quotes that are never closed
std::optional<DescriptorError>
FindUnclosed(const std::string& text, const PlaceMaker& places)
{
    const std::optional<Unclosed> unclosed = BracketReader(text).FindUnclosed();
    if (!unclosed)
    {
        return std::nullopt;
    }
    const auto locate = [&](std::size_t at) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
        return places.At(lines + 1, at - (lines == 0 ? 0 : text.rfind('\n', at - 1) + 1) + 1);
    };
    const Place begin = locate(unclosed->begin);
    const std::string what = std::string("the '") + text[unclosed->begin] + "'" +
                             (begin.line > 0 ? " that begins here" : "");
    if (unclosed->end == text.size())
    {
        return DescriptorError(begin, what + " is never closed");
    }
    return DescriptorError(begin,
                           what + " is not closed before the '" + text[unclosed->end] + "'" +
                               (begin.line > 0 ? " at " + locate(unclosed->end).ToString() : ""));
}

/// Refuses what a text file does not have, and tabs where YAML does not allow them.
void
CheckText(const std::string& text, const PlaceMaker& places)
{
    std::size_t line = 1;
    std::size_t lineBegin = 0;
    bool indentation = true;
    std::size_t tab = std::string::npos; // column of a tab in the indentation
    std::size_t length = 1;
    for (std::size_t i = 0; i < text.size(); i += length)
    {
        const char letter = text[i];
        const std::size_t column = i - lineBegin + 1;
        length = Utf8Length(text, i);
        if (length == 0)
        {
            throw DescriptorError(places.At(line, column), "this is not UTF-8 text");
        }
        if (letter == '\n')
        {
            ++line;
            lineBegin = i + 1;
            indentation = true;
            tab = std::string::npos;
            continue;
        }
        const auto code = static_cast<unsigned char>(letter);
        if ((code < 0x20 && letter != '\t' && letter != '\r') || code == 0x7f)
        {
            throw DescriptorError(places.At(line, column),
                                  "a control character; a descriptor is plain text");
        }
        if (!indentation)
        {
            continue;
        }
        if (letter == '\t')
        {
            tab = std::min(tab, column);
        }
        else if (letter != ' ' && letter != '\r')
        {
            indentation = false;
            if (tab != std::string::npos && letter != '#')
            {
                throw DescriptorError(places.At(line, tab),
                                      "a tab in the indentation; YAML is indented with spaces");
            }
        }
    }
}

} // namespace

const YamlEntry*
YamlNode::Find(const std::string& key) const
{
    const auto same = [&](const YamlEntry& entry) { return entry.key == key; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    return found == entries.end() ? nullptr : &*found;
}

YamlEntry*
YamlNode::Find(const std::string& key)
{
    return const_cast<YamlEntry*>(std::as_const(*this).Find(key));
}

void
YamlNode::Remove(const std::string& key)
{
    const auto same = [&](const YamlEntry& entry) { return entry.key == key; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), same), entries.end());
}

std::string
YamlNode::Describe() const
{
    constexpr std::size_t longest = 60;
    switch (kind)
    {
    case Kind::Null:
        return "nothing";
    case Kind::List:
        return "a list";
    case Kind::Map:
        return "a map";
    case Kind::Scalar:
        break;
    }
    return text.size() <= longest ? "'" + text + "'" : "'" + text.substr(0, longest) + "...'";
}

YamlNode
ParseYaml(const std::string& text, const std::string& source, bool hasLines)
{
    const PlaceMaker places(source, hasLines);
    CheckText(text, places);
    TreeBuilder builder(text, places);
    try
    {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder))
        {
            throw DescriptorError(places.At(1, 1), "there is nothing in it");
        }
        TreeBuilder second(text, places);
        if (parser.HandleNextDocument(second))
        {
            throw DescriptorError(second.GetRoot().place,
                                  "this is behind the end of the document; a file holds one");
        }
    }
    catch (const YAML::Exception& error)
    {
        // The parser tells where it gave up, which may be many lines further.
        if (const std::optional<DescriptorError> unclosed = FindUnclosed(text, places))
        {
            throw *unclosed;
        }
        throw DescriptorError(places.At(error.mark), "YAML syntax: " + error.msg);
    }
    return std::move(builder.GetRoot());
}

std::string
ReadDescriptorFile(const std::string& path)
{
    const Place place{path, 0, 0};
    std::size_t length = 1;
    for (std::size_t i = 0; i < path.size() && length > 0; i += length)
    {
        length = Utf8Length(path, i);
    }
    if (length == 0)
    {
        throw DescriptorError(place,
                              "the path is not UTF-8, and results name it: rename the file, or its "
                              "folder");
    }
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
    {
        throw DescriptorError(place, "no such file");
    }
    if (std::filesystem::is_directory(status))
    {
        throw DescriptorError(place, "this is a folder; a descriptor is a file");
    }
    if (!std::filesystem::is_regular_file(status))
    {
        throw DescriptorError(place,
                              "this is a pipe or a device; a descriptor is a file: write what "
                              "comes from there into one");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw DescriptorError(place, "the file cannot be opened for reading");
    }
    std::string text(kLargestFile + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad())
    {
        throw DescriptorError(place, "the file cannot be read");
    }
    if (text.size() > kLargestFile)
    {
        throw DescriptorError(place, "larger than 4 MiB; this is not a descriptor");
    }
    return text;
}

} // namespace ns3::rails
