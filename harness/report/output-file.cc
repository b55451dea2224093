// SPDX-License-Identifier: GPL-2.0-only
#include "output-file.h"

#include "partial-path.h"

#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3::rails
{

namespace
{

namespace fs = std::filesystem;

/// \return the path that a user can act on: of two paths the second, the target
const fs::path&
GetPlace(const fs::filesystem_error& error)
{
    return error.path2().empty() ? error.path1() : error.path2();
}

std::string
FindRemedy(const std::error_code& code)
{
    if (code == std::errc::filename_too_long)
    {
        return ": choose a shorter name";
    }
    if (code == std::errc::too_many_symbolic_link_levels)
    {
        return ": it is a link that leads to itself, remove it or name another place";
    }
    if (code == std::errc::is_a_directory)
    {
        return ": a file is to be written there, remove the folder";
    }
    return ": see to it, or name another place";
}

/// \return descriptor of a new file, open for writing; negative when the path exists, also as a
/// link
int
CreateFile(const fs::path& path)
{
    constexpr mode_t mode = 0666; // less what the user's mask takes away
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

/// A new file, which replaces another one when complete.
class NewFile
{
  public:
    explicit NewFile(const fs::path& path)
        : m_path(path)
    {
        m_file = CreateFile(path);
        m_isMade = m_file >= 0;
        Note(m_isMade);
    }

    ~NewFile()
    {
        Close();
        if (m_isMade)
        {
            unlink(m_path.c_str());
        }
    }

    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void Write(std::string_view text)
    {
        while (!m_error && !text.empty())
        {
            const ssize_t written = write(m_file, text.data(), text.size());
            text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
            Note(written >= 0 || errno == EINTR);
        }
    }

    /// Forces the file to disk and moves it to its place.
    void Put(const fs::path& place)
    {
        Note(m_error || fsync(m_file) == 0 || errno == EINVAL); // a file system may not know how
        Close();
        if (!m_error)
        {
            Note(rename(m_path.c_str(), place.c_str()) == 0);
            m_isMade = static_cast<bool>(m_error);
        }
    }

    std::error_code GetError() const
    {
        return m_error;
    }

  private:
    void Note(bool isDone)
    {
        if (!m_error && !isDone)
        {
            m_error.assign(errno, std::generic_category());
        }
    }

    void Close()
    {
        if (m_file >= 0)
        {
            Note(close(m_file) == 0);
            m_file = -1;
        }
    }

    fs::path m_path;
    int m_file;
    bool m_isMade{false}; //!< and not yet put in its place
    std::error_code m_error;
};

/// \return true when a file is the standard output or error of this process
bool
IsOutput(const fs::path& path)
{
    struct stat file
    {
    };

    struct stat output
    {
    };

    for (const int number : {STDOUT_FILENO, STDERR_FILENO})
    {
        if (stat(path.c_str(), &file) == 0 && fstat(number, &output) == 0 &&
            file.st_dev == output.st_dev && file.st_ino == output.st_ino)
        {
            return true;
        }
    }
    return false;
}

/// \return true for a regular file that is empty or from this program
bool
IsEmptyOrOwn(const fs::path& path, const FileRecogniser& isOwn)
{
    std::error_code ignored;
    return fs::file_size(path, ignored) == 0 || (isOwn && isOwn(path));
}

} // namespace

OutputError::OutputError(const fs::filesystem_error& error)
    : OutputError(GetPlace(error), "cannot be used" + FindRemedy(error.code()), error.code())
{
}

std::error_code
FindWriteError(const std::ios& file)
{
    return {file ? 0 : (errno != 0 ? errno : EIO), std::generic_category()};
}

void
WriteFileAtOnce(const fs::path& path, const std::string& text)
{
    RemoveDeadPartials(path);
    NewFile file(MakePartialPath(path));
    file.Write(text);
    file.Put(path);
    if (const std::error_code error = file.GetError())
    {
        throw OutputError(path, "cannot be written", error);
    }
}

void
WriteNamedFile(const fs::path& path, const std::string& text)
{
    std::error_code ignored;
    const fs::file_type type = fs::symlink_status(path, ignored).type();
    if (type == fs::file_type::regular || type == fs::file_type::not_found)
    {
        WriteFileAtOnce(path, text);
        return;
    }
    // A rename would replace a link, a pipe or a device by a file.
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (const std::error_code error = FindWriteError(file))
    {
        throw OutputError(path, "cannot be written", error);
    }
}

void
CheckFile(const fs::path& path)
{
    std::error_code ignored;
    const bool isNew = !fs::exists(path, ignored);
    errno = 0;
    const std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file)
    {
        throw OutputError(path,
                          "cannot be written",
                          {errno != 0 ? errno : EIO, std::generic_category()});
    }
    if (isNew)
    {
        fs::remove(path, ignored);
    }
}

void
MakeNewFile(const fs::path& path)
{
    const int file = CreateFile(path);
    if (file < 0)
    {
        throw OutputError(path, "cannot be written", {errno, std::generic_category()});
    }
    close(file);
}

FileRecogniser
RecogniseBegin(const std::string& text)
{
    return [text](const fs::path& path) {
        std::string begin(text.size(), '\0');
        std::ifstream file(path, std::ios::binary);
        file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
        return file && begin == text;
    };
}

void
CheckReplaceable(const fs::path& path, const FileRecogniser& isOwn, const std::string& message)
{
    const fs::file_type type = fs::symlink_status(path).type();
    if (type != fs::file_type::not_found &&
        (type != fs::file_type::regular || !IsEmptyOrOwn(path, isOwn)))
    {
        throw OutputError(path, message);
    }
}

void
CheckNamedFile(const fs::path& path, const FileRecogniser& isOwn, const std::string& message)
{
    if (fs::is_regular_file(path) && !IsOutput(path) && !IsEmptyOrOwn(path, isOwn))
    {
        throw OutputError(path, message);
    }
}

} // namespace ns3::rails
