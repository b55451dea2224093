// SPDX-License-Identifier: GPL-2.0-only
#include "slurm-queue.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cmath>
#include <set>
#include <system_error>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

/// What Slurm's commands say when the controller is away or overloaded.
constexpr std::array<const char*, 6> kPassingTroubles{
    "Unable to contact slurm controller",
    "Socket timed out on send/recv operation",
    "Zero Bytes were transmitted or received",
    "Slurm backup controller in standby mode",
    "Slurm temporarily unable to accept job",
    "Resource temporarily unavailable",
};

bool
IsPassing(const std::string& errors)
{
    return std::any_of(kPassingTroubles.begin(), kPassingTroubles.end(), [&](const char* trouble) {
        return boost::icontains(errors, trouble);
    });
}

std::vector<std::string>
SplitLines(const std::string& text)
{
    std::vector<std::string> lines;
    boost::split(lines, text, boost::is_any_of("\n"));
    return lines;
}

std::optional<std::size_t>
ReadNumber(const std::string& text)
{
    std::size_t number = 0;
    // The conversion would accept a sign.
    const bool isNumber =
        boost::all(text, boost::is_digit()) && boost::conversion::try_lexical_convert(text, number);
    return isNumber ? std::optional(number) : std::nullopt;
}

/**
 * \param line output for FindLive()
 * \param prefix of the job names
 * \return its task; nothing for a task without an array, or a job with another prefix
 */
std::optional<SlurmTask>
ReadTask(const std::string& line, const std::string& prefix)
{
    constexpr std::size_t columns = 5;
    std::vector<std::string> words;
    boost::split(words, line, boost::is_any_of("|"));
    if (words.size() < columns)
    {
        return std::nullopt;
    }
    const std::optional<std::size_t> index = ReadNumber(words[1]);
    const std::string& name = words[3];
    const std::optional<std::size_t> number =
        boost::starts_with(name, prefix) ? ReadNumber(name.substr(prefix.size())) : std::nullopt;
    // Jobs of others may have names that begin alike.
    if (!index || !number || name != prefix + std::to_string(*number))
    {
        return std::nullopt;
    }
    return SlurmTask{*number, words[0], *index, words[2], words[4]};
}

} // namespace

SlurmQueue::SlurmQueue(std::chrono::milliseconds limit)
    : m_limit(limit)
{
}

std::optional<std::string>
SlurmQueue::Submit(const SlurmJob& job)
{
    std::string array = "--array=0-" + std::to_string(job.tasks - 1);
    if (job.atOnce > 0)
    {
        array += "%" + std::to_string(job.atOnce);
    }
    std::vector<std::string> words{"sbatch", "--parsable", "--job-name=" + job.name, array};
    if (!job.folder.empty())
    {
        words.push_back("--chdir=" + job.folder.string());
    }
    if (!job.output.empty())
    {
        words.push_back("--output=" + job.output);
    }
    if (!job.partition.empty())
    {
        words.push_back("--partition=" + job.partition);
    }
    if (job.seconds > 0)
    {
        words.push_back("--time=" + std::to_string(std::lround(std::ceil(job.seconds / 60))));
    }
    if (job.memoryBytes > 0)
    {
        words.push_back("--mem=" + std::to_string((job.memoryBytes + 1023) / 1024) + "K");
    }
    words.insert(words.end(), job.options.begin(), job.options.end());
    words.push_back(job.script.string());
    const CommandOutcome outcome = Run(words);
    if (!IsAnswered(outcome, words))
    {
        return std::nullopt;
    }
    // A number, with the name of the cluster behind a semicolon where there are several. What a
    // site's own checks have to say comes before it.
    const std::vector<std::string> lines =
        SplitLines(boost::trim_right_copy_if(outcome.output, boost::is_space()));
    const std::string number = lines.back().substr(0, lines.back().find(';'));
    if (!ReadNumber(number))
    {
        throw SlurmError("sbatch: error: it printed '" + lines.back() +
                         "' where the number of a job was expected; the command was " +
                         QuoteCommand(words));
    }
    return number;
}

std::optional<std::vector<SlurmTask>>
SlurmQueue::FindLive(const std::string& prefix)
{
    const std::vector<std::string> words{"squeue",
                                         "--noheader",
                                         "--array",
                                         "--user=" + std::to_string(geteuid()),
                                         "--format=%F|%K|%T|%j|%r"};
    const CommandOutcome outcome = Run(words);
    if (!IsAnswered(outcome, words))
    {
        return std::nullopt;
    }
    std::vector<SlurmTask> tasks;
    for (const std::string& line : SplitLines(outcome.output))
    {
        if (const std::optional<SlurmTask> task = ReadTask(line, prefix))
        {
            tasks.push_back(*task);
        }
    }
    return tasks;
}

bool
SlurmQueue::Cancel(const std::string& prefix)
{
    const std::optional<std::vector<SlurmTask>> tasks = FindLive(prefix);
    if (!tasks)
    {
        return false;
    }
    std::set<std::string> jobs;
    for (const SlurmTask& task : *tasks)
    {
        jobs.insert(task.job);
    }
    if (jobs.empty())
    {
        return true;
    }
    std::vector<std::string> words{"scancel"};
    words.insert(words.end(), jobs.begin(), jobs.end());
    const CommandOutcome outcome = Run(words);
    if (!outcome.IsGood())
    {
        // Tasks that ended between the two commands are no trouble.
        const std::optional<std::vector<SlurmTask>> rest = FindLive(prefix);
        if (rest && std::all_of(rest->begin(), rest->end(), [](const SlurmTask& task) {
                return task.state == "COMPLETING";
            }))
        {
            return true;
        }
    }
    return IsAnswered(outcome, words);
}

std::optional<std::size_t>
SlurmQueue::GetLargestArray()
{
    const std::vector<std::string> words{"scontrol", "show", "config"};
    const CommandOutcome outcome = Run(words);
    if (!IsAnswered(outcome, words))
    {
        return std::nullopt;
    }
    std::optional<std::size_t> largest;
    const auto lower = [&largest](const std::string& text) {
        const std::optional<std::size_t> number = ReadNumber(text);
        if (number)
        {
            largest = std::min(largest.value_or(*number), *number);
        }
    };
    for (const std::string& line : SplitLines(outcome.output))
    {
        const std::size_t sign = line.find('=');
        if (sign == std::string::npos)
        {
            continue;
        }
        const std::string key = boost::trim_copy(line.substr(0, sign));
        const std::string value = boost::trim_copy(line.substr(sign + 1));
        if (key == "MaxArraySize")
        {
            lower(value);
        }
        if (key == "SchedulerParameters")
        {
            std::vector<std::string> parameters;
            boost::split(parameters, value, boost::is_any_of(","));
            for (const std::string& parameter : parameters)
            {
                const std::string limit = "max_array_tasks=";
                if (boost::istarts_with(parameter, limit))
                {
                    lower(parameter.substr(limit.size()));
                }
            }
        }
    }
    if (!largest || *largest == 0)
    {
        throw SlurmError("scontrol: error: this cluster takes no job arrays (MaxArraySize); use "
                         "--launcher local");
    }
    return largest;
}

CommandOutcome
SlurmQueue::Run(const std::vector<std::string>& words) const
{
    try
    {
        // A user's own defaults would change what these do and print.
        return RunCommand(words, m_limit, {"SQUEUE_", "SCANCEL_", "SBATCH_WAIT="});
    }
    catch (const std::system_error& error)
    {
        if (error.code() == std::errc::no_such_file_or_directory)
        {
            throw SlurmError(words.front() + ": error: it is not there: install slurm-client or "
                                             "use --launcher local");
        }
        throw SlurmError(words.front() + ": error: it could not be run (" + error.code().message() +
                         "); use --launcher local");
    }
}

/// \return false when the controller did not answer
bool
SlurmQueue::IsAnswered(const CommandOutcome& outcome, const std::vector<std::string>& words)
{
    if (outcome.IsGood())
    {
        return true;
    }
    const std::string command = "\n  the command was " + QuoteCommand(words);
    const std::string said = boost::trim_copy(outcome.errors);
    if (outcome.isLate)
    {
        m_trouble = words.front() + ": error: no answer within " +
                    std::to_string(m_limit.count() / 1000.0) + " s" + command;
        return false;
    }
    if (IsPassing(outcome.errors))
    {
        m_trouble = said + command;
        return false;
    }
    throw SlurmError((said.empty() ? words.front() + ": error: it ended with status " +
                                         std::to_string(outcome.status) + " and said nothing"
                                   : said) +
                     command);
}

} // namespace ns3::rails
