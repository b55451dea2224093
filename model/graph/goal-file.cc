// SPDX-License-Identifier: GPL-2.0-only
#include "goal-file.h"

#include "goal-order.h"

#include "ns3/matrix-source.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ostream>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

namespace
{

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool
IsLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The words, numbers, marks and ends of lines of a file, one after the other.
class Scanner
{
  public:
    /// \param path of the file; throws when it cannot be read
    explicit Scanner(const std::string& path)
        : m_path(path)
    {
        std::error_code error;
        const bool isFile = std::filesystem::is_regular_file(path, error);
        std::ifstream file;
        constexpr uintmax_t largest = uintmax_t{8} << 30;
        if (isFile && std::filesystem::file_size(path) > largest)
        {
            throw ConfigurationError("path", path + ": larger than 8 GiB");
        }
        if (isFile)
        {
            m_text.resize(std::filesystem::file_size(path));
            file.open(path, std::ios::binary);
        }
        if (!file.is_open() ||
            !file.read(m_text.data(), static_cast<std::streamsize>(m_text.size())))
        {
            throw ConfigurationError("path",
                                     path.empty() ? "expected the path of a GOAL file"
                                                  : path + ": cannot be read");
        }
        Advance();
    }

    /// \return the next item: "\n" at the end of a line, empty at the end of the file
    std::string_view Get() const
    {
        return m_next;
    }

    bool IsWord() const
    {
        return !m_next.empty() && IsLetter(m_next.front());
    }

    /// \return the line of Get(), from 1
    uint32_t GetLine() const
    {
        return m_line;
    }

    void Advance()
    {
        m_line += m_next == "\n" ? 1 : 0;
        SkipBlanks();
        const std::size_t begin = m_at;
        const char first = Peek();
        m_at += m_at < m_text.size() ? 1 : 0;
        while ((IsLetter(first) && (IsLetter(Peek()) || IsDigit(Peek()))) ||
               (IsDigit(first) && IsDigit(Peek())))
        {
            ++m_at;
        }
        m_next = std::string_view(m_text).substr(begin, m_at - begin);
    }

    /// Skips the next item if it is a text. \return true if it was
    bool Accept(std::string_view text)
    {
        const bool isNext = m_next == text;
        if (isNext)
        {
            Advance();
        }
        return isNext;
    }

    void Expect(const std::string& text)
    {
        if (!Accept(text))
        {
            FailExpected("'" + text + "'");
        }
    }

    /// Skips the next item, which must be a word. \return it
    std::string_view TakeWord(const std::string& what)
    {
        if (!IsWord())
        {
            FailExpected(what);
        }
        const std::string_view word = m_next;
        Advance();
        return word;
    }

    /// Skips the next item, which must be a number. \return it
    uint64_t TakeNumber(const std::string& what, uint64_t maximum)
    {
        if (m_next == "-")
        {
            Fail("any source and any tag (-1) are not supported: say which one it is");
        }
        uint64_t number = 0;
        const auto [end, error] =
            std::from_chars(m_next.data(), m_next.data() + m_next.size(), number);
        if (error == std::errc::invalid_argument)
        {
            FailExpected(what);
        }
        if (error == std::errc::result_out_of_range || number > maximum)
        {
            FailExpected(what + " of at most " + std::to_string(maximum));
        }
        Advance();
        return number;
    }

    [[noreturn]] void FailExpected(const std::string& what) const
    {
        const std::string found = m_next.empty()   ? "the end of the file"
                                  : m_next == "\n" ? "the end of the line"
                                                   : "'" + std::string(m_next) + "'";
        Fail("expected " + what + ", found " + found);
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        FailLine(m_line, message);
    }

    [[noreturn]] void FailLine(uint32_t line, const std::string& message) const
    {
        throw ConfigurationError("path", m_path + ":" + std::to_string(line) + ": " + message);
    }

  private:
    /// \return the next character, or one behind it; 0 at the end
    char Peek(std::size_t behind = 0) const
    {
        return m_at + behind < m_text.size() ? m_text[m_at + behind] : '\0';
    }

    /// Goes to the next character that is neither a blank nor in a comment.
    void SkipBlanks()
    {
        for (;;)
        {
            if (Peek() == ' ' || Peek() == '\t' || Peek() == '\r')
            {
                ++m_at;
            }
            else if (Peek() == '/' && Peek(1) == '/')
            {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            }
            else if (Peek() == '/' && Peek(1) == '*')
            {
                const std::size_t end = m_text.find("*/", m_at + 2);
                if (end == std::string::npos)
                {
                    Fail("the comment that begins here has no end: expected '*/'");
                }
                const char* text = m_text.data();
                m_line += static_cast<uint32_t>(std::count(text + m_at, text + end, '\n'));
                m_at = end + 2;
            }
            else
            {
                return;
            }
        }
    }

    std::string m_path;
    std::string m_text;
    std::size_t m_at{0}; //!< behind m_next
    std::string_view m_next;
    uint32_t m_line{1};
};

/// Reads a file, and checks that its schedule can run.
class GoalReader
{
  public:
    explicit GoalReader(const std::string& path)
        : m_scanner(path)
    {
    }

    GoalSchedule Read()
    {
        SkipLines();
        if (!m_scanner.Accept("num_ranks"))
        {
            m_scanner.FailExpected("'num_ranks NUMBER' before all else");
        }
        const uint64_t ranks = m_scanner.TakeNumber("a number of ranks", kMostRanks);
        if (ranks == 0)
        {
            m_scanner.Fail("expected at least one rank");
        }
        m_schedule.ranks.resize(ranks);
        m_lines.resize(ranks);
        m_rankLines.resize(ranks, 0);
        for (SkipLines(); !m_scanner.Get().empty(); SkipLines())
        {
            ReadRank();
        }
        Check();
        return std::move(m_schedule);
    }

  private:
    static constexpr uint64_t kMostRanks = 1'000'000;
    static constexpr uint64_t kAnyNumber = std::numeric_limits<uint64_t>::max();

    void SkipLines()
    {
        while (m_scanner.Accept("\n"))
        {
        }
    }

    void ReadRank()
    {
        if (!m_scanner.Accept("rank"))
        {
            m_scanner.FailExpected("'rank NUMBER {'");
        }
        const uint32_t line = m_scanner.GetLine();
        m_rank = TakeRank();
        uint32_t& known = m_rankLines[m_rank];
        if (known > 0)
        {
            m_scanner.FailLine(line,
                               "rank " + std::to_string(m_rank) + " has been described in line " +
                                   std::to_string(known) + ": put all of it there");
        }
        known = line;
        m_labels = {}; // clear() would go through as many buckets as the largest rank had
        m_scanner.Expect("{");
        for (SkipLines(); !m_scanner.Accept("}"); SkipLines())
        {
            if (m_scanner.Get().empty() || m_scanner.Get() == "rank")
            {
                m_scanner.FailExpected("the '}' of rank " + std::to_string(m_rank));
            }
            ReadLine();
        }
    }

    /// Reads an operation or a dependency.
    void ReadLine()
    {
        const uint32_t line = m_scanner.GetLine();
        const std::string_view word = m_scanner.TakeWord("an operation or a label");
        if (m_scanner.Get() == "requires" || m_scanner.Get() == "irequires")
        {
            const bool isBegin = m_scanner.Get() == "irequires";
            const uint32_t operation = FindOperation(word);
            m_scanner.Advance();
            const uint32_t other = FindOperation(m_scanner.TakeWord("a label"));
            m_schedule.ranks[m_rank].needs.push_back({operation, other, isBegin});
        }
        else if (m_scanner.Accept(":"))
        {
            const auto number = static_cast<uint32_t>(m_lines[m_rank].size());
            if (!m_labels.try_emplace(word, number).second)
            {
                m_scanner.Fail("another operation of this rank is labelled '" + std::string(word) +
                               "', too: give this one a label of its own");
            }
            ReadOperation(line, m_scanner.TakeWord("an operation"));
        }
        else
        {
            ReadOperation(line, word);
        }
        if (m_scanner.Get() != "}" && !m_scanner.Get().empty() && !m_scanner.Accept("\n"))
        {
            m_scanner.FailExpected("the end of the line (behind a message: tag, cpu and nic in "
                                   "this order, behind a calc: cpu)");
        }
    }

    void ReadOperation(uint32_t line, std::string_view word)
    {
        GoalOperation operation;
        if (word == "calc")
        {
            operation.amount = m_scanner.TakeNumber("nanoseconds", kAnyNumber);
        }
        else if (word == "send" || word == "recv")
        {
            const bool sends = word == "send";
            operation.type = sends ? GoalOperation::Type::Send : GoalOperation::Type::Recv;
            operation.amount = m_scanner.TakeNumber("a number of bytes", kLargestPairBytes);
            m_scanner.Expect("b");
            m_scanner.Expect(sends ? "to" : "from");
            operation.peer = TakeRank();
            operation.tag = TakeOption("tag", kAnyNumber);
        }
        else
        {
            m_scanner.FailLine(line,
                               "'" + std::string(word) +
                                   "' is unknown: expected calc, send, recv, or a label with ':', "
                                   "requires or irequires behind it");
        }
        operation.cpu = static_cast<uint32_t>(TakeOption("cpu", GoalOperation::kLargestCpu));
        if (operation.type != GoalOperation::Type::Calc)
        {
            operation.nic = static_cast<uint32_t>(TakeOption("nic", GoalOperation::kLargestCpu));
        }
        if (++m_operations > GoalSchedule::kMostOperations)
        {
            m_scanner.Fail("expected at most " + std::to_string(GoalSchedule::kMostOperations) +
                           " operations");
        }
        m_schedule.ranks[m_rank].operations.push_back(operation);
        m_lines[m_rank].push_back(line);
    }

    uint32_t TakeRank()
    {
        return static_cast<uint32_t>(m_scanner.TakeNumber("a rank", m_schedule.ranks.size() - 1));
    }

    /// \return the number behind a word; 0 if the word does not come next
    uint64_t TakeOption(const std::string& word, uint64_t maximum)
    {
        return m_scanner.Accept(word) ? m_scanner.TakeNumber("the number of a " + word, maximum)
                                      : 0;
    }

    uint32_t FindOperation(std::string_view label) const
    {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
        {
            m_scanner.Fail("no operation of this rank above this line is labelled '" +
                           std::string(label) + "'");
        }
        return found->second;
    }

    /// Throws with the lines of the wrong operations when the schedule cannot run.
    void Check() const
    {
        try
        {
            OrderGoal(m_schedule, MatchGoal(m_schedule));
        }
        catch (const GoalError& error)
        {
            constexpr std::size_t most = 10;
            const std::vector<GoalPlace>& places = error.GetPlaces();
            std::string others;
            for (std::size_t i = 1; i < std::min(places.size(), most); ++i)
            {
                others += (i == 1 ? "; see line " : ", ") + std::to_string(GetLine(places[i]));
            }
            m_scanner.FailLine(GetLine(places.front()), error.what() + others);
        }
    }

    uint32_t GetLine(const GoalPlace& place) const
    {
        return m_lines[place.rank][place.operation];
    }

    Scanner m_scanner;
    GoalSchedule m_schedule;
    uint32_t m_rank{0};
    uint64_t m_operations{0};
    std::unordered_map<std::string_view, uint32_t> m_labels; //!< of m_rank
    std::vector<std::vector<uint32_t>> m_lines;              //!< of operations, by rank
    std::vector<uint32_t> m_rankLines;                       //!< 0: not described yet
};

void
WriteOption(const char* word, uint64_t number, std::ostream& os)
{
    if (number > 0)
    {
        os << ' ' << word << ' ' << number;
    }
}

} // namespace

GoalSchedule
ReadGoal(const std::string& path)
{
    return GoalReader(path).Read();
}

void
WriteGoal(const GoalSchedule& schedule, std::ostream& os)
{
    os << "num_ranks " << schedule.ranks.size() << '\n';
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        os << "\nrank " << rank << " {\n";
        std::size_t label = 0;
        for (const GoalOperation& operation : schedule.ranks[rank].operations)
        {
            os << 'l' << ++label << ": ";
            if (operation.type == GoalOperation::Type::Calc)
            {
                os << "calc " << operation.amount;
            }
            else
            {
                const bool sends = operation.type == GoalOperation::Type::Send;
                os << (sends ? "send " : "recv ") << operation.amount
                   << (sends ? "b to " : "b from ") << operation.peer;
                WriteOption("tag", operation.tag, os);
            }
            WriteOption("cpu", operation.cpu, os);
            WriteOption("nic", operation.nic, os);
            os << '\n';
        }
        for (const GoalNeed& need : schedule.ranks[rank].needs)
        {
            os << 'l' << need.operation + 1 << (need.isBegin ? " irequires l" : " requires l")
               << need.other + 1 << '\n';
        }
        os << "}\n";
    }
}

} // namespace ns3::rails
