// SPDX-License-Identifier: GPL-2.0-only
#include "connections-file.h"

#include "ns3/csv-file.h"
#include "ns3/matrix-source.h"
#include "ns3/rails-quantity.h"

#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <optional>

namespace ns3::rails
{

namespace
{

constexpr size_t kSource = 0;
constexpr size_t kDestination = 1;
constexpr size_t kBytes = 2;
constexpr size_t kStartColumn = 3;

/// Parser of both forms. Lines of htsim have one column.
class Reader
{
  public:
    Reader(const std::string& path, const ClusterShape& shape)
        : m_file(path),
          m_gpus(shape.GetGpus())
    {
    }

    std::vector<Connection> Read()
    {
        bool isFirst = true;
        while (m_file.NextRow())
        {
            if (isFirst && boost::algorithm::istarts_with(m_file.GetText(0), "nodes"))
            {
                ReadMatrix();
                break;
            }
            if (!isFirst || m_file.GetText(0) != "source")
            {
                ReadRow();
            }
            isFirst = false;
        }
        if (m_connections.empty())
        {
            m_file.FailFile("has no connections");
        }
        return std::move(m_connections);
    }

  private:
    void ReadRow()
    {
        if (m_file.GetColumns() != 3 && m_file.GetColumns() != 4)
        {
            m_file.FailRow("expected source,destination,bytes or source,destination,bytes,start, "
                           "found " +
                           std::to_string(m_file.GetColumns()) + " columns");
        }
        Connection connection;
        connection.source = static_cast<uint32_t>(m_file.GetNumber(kSource, m_gpus - 1));
        connection.destination = static_cast<uint32_t>(m_file.GetNumber(kDestination, m_gpus - 1));
        connection.bytes = m_file.GetNumber(kBytes, kLargestPairBytes);
        if (m_file.GetColumns() > kStartColumn)
        {
            const std::string& start = m_file.GetText(kStartColumn);
            try
            {
                connection.start = start == "0" ? 0 : ParseTime(start);
            }
            catch (const QuantityError& error)
            {
                m_file.Fail(kStartColumn, error.what());
            }
        }
        Add(connection);
    }

    void ReadMatrix()
    {
        const uint64_t nodes = ReadPair("nodes");
        if (nodes == 0 || nodes > m_gpus)
        {
            m_file.FailRow("expected from 1 to the " + std::to_string(m_gpus) +
                           " GPUs of the topology");
        }
        m_gpus = static_cast<uint32_t>(nodes);
        if (!m_file.NextRow())
        {
            m_file.FailFile("expected a line 'Connections NUMBER'");
        }
        const uint64_t count = ReadPair("connections");
        while (m_file.NextRow())
        {
            ReadLine();
        }
        if (m_connections.size() != count)
        {
            m_file.FailFile("says that it has " + std::to_string(count) + " connections, and has " +
                            std::to_string(m_connections.size()));
        }
    }

    /// \return the number of a line with a word and a number
    uint64_t ReadPair(const std::string& word)
    {
        const std::vector<std::string> words = Split();
        const std::optional<uint64_t> number =
            words.size() == 2 && boost::algorithm::iequals(words[0], word) ? Parse(words[1])
                                                                           : std::nullopt;
        if (!number)
        {
            m_file.FailRow("expected '" + word + " NUMBER', found '" + m_file.GetText(0) + "'");
        }
        return *number;
    }

    void ReadLine()
    {
        const std::vector<std::string> words = Split();
        if (boost::algorithm::icontains(m_file.GetText(0), "trigger"))
        {
            m_file.FailRow("triggers are not supported, with which the end of a connection starts "
                           "another one: give each a start, or write the chain as a GOAL file, "
                           "workload.type: goal");
        }
        const size_t arrow = words[0].find("->");
        Connection connection;
        std::optional<uint64_t> bytes;
        const bool isGood = arrow != std::string::npos && words.size() % 2 == 1;
        if (isGood)
        {
            connection.source = ParseGpu(words[0].substr(0, arrow));
            connection.destination = ParseGpu(words[0].substr(arrow + 2));
        }
        for (size_t i = 1; isGood && i < words.size(); i += 2)
        {
            const std::optional<uint64_t> number = Parse(words[i + 1]);
            if (words[i] == "size")
            {
                bytes = number;
            }
            else if (words[i] == "start")
            {
                connection.start = static_cast<TimePs>(number.value_or(0));
            }
            else if (words[i] != "id")
            {
                m_file.FailRow("'" + words[i] + "' is not supported: only id, start and size are");
            }
            if (!number)
            {
                m_file.FailRow("expected a whole number " + GetUnit(words[i]) + "behind '" +
                               words[i] + "', found '" + words[i + 1] + "'");
            }
        }
        if (!isGood || !bytes)
        {
            m_file.FailRow("expected 'SOURCE->DESTINATION id NUMBER start PICOSECONDS size "
                           "BYTES', found '" +
                           m_file.GetText(0) + "'");
        }
        if (*bytes == 0)
        {
            m_file.FailRow("'size 0', a connection without an end, is not supported: say how many "
                           "bytes it has");
        }
        connection.bytes = *bytes;
        Add(connection);
    }

    static std::string GetUnit(const std::string& word)
    {
        return word == "start" ? "of picoseconds " : word == "size" ? "of bytes " : "";
    }

    std::vector<std::string> Split() const
    {
        if (m_file.GetColumns() != 1)
        {
            m_file.FailRow("a connection matrix has no commas");
        }
        std::vector<std::string> words;
        boost::algorithm::split(words,
                                m_file.GetText(0),
                                boost::algorithm::is_space(),
                                boost::algorithm::token_compress_on);
        return words;
    }

    /// \return empty unless the text is a number in the range of a time
    static std::optional<uint64_t> Parse(const std::string& text)
    {
        int64_t number = 0;
        const bool isWhole = text.find_first_not_of("0123456789") == std::string::npos &&
                             boost::conversion::try_lexical_convert(text, number);
        return isWhole ? std::optional<uint64_t>(number) : std::nullopt;
    }

    uint32_t ParseGpu(const std::string& text) const
    {
        const std::optional<uint64_t> gpu = Parse(text);
        if (!gpu || *gpu >= m_gpus)
        {
            m_file.FailRow("expected a GPU from 0 to " + std::to_string(m_gpus - 1) + ", found '" +
                           text + "'");
        }
        return static_cast<uint32_t>(*gpu);
    }

    void Add(const Connection& connection)
    {
        if (connection.source == connection.destination)
        {
            m_file.FailRow("GPU " + std::to_string(connection.source) + " sends to itself");
        }
        if (connection.bytes == 0 || connection.bytes > kLargestPairBytes)
        {
            m_file.FailRow("expected from 1 to " + std::to_string(kLargestPairBytes) + " bytes");
        }
        m_connections.push_back(connection);
    }

    CsvFile m_file;
    uint32_t m_gpus;
    std::vector<Connection> m_connections;
};

} // namespace

std::vector<Connection>
ReadConnections(const std::string& path, const ClusterShape& shape)
{
    return Reader(path, shape).Read();
}

} // namespace ns3::rails
