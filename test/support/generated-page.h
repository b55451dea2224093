// SPDX-License-Identifier: GPL-2.0-only
#ifndef GENERATED_PAGE_H
#define GENERATED_PAGE_H

#include <string>
#include <vector>

namespace ns3::rails::test
{

/**
 * A page with parts generated from the program. A part stands between the lines
 * `.. generated: NAME` and `.. end: NAME`, in Markdown between comments with the same text. The
 * rest of the page is written by hand.
 */
class GeneratedPage
{
  public:
    /// \param path relative to the repository: "doc/descriptor.rst"
    explicit GeneratedPage(const std::string& path);

    /// \return the whole page
    const std::string& GetText() const;

    /// \return the names of the generated parts, in the order of the page
    std::vector<std::string> GetParts() const;

    /**
     * \param name of a part
     * \return its text with a final newline; empty when the page has no such part
     */
    std::string GetPart(const std::string& name) const;

    /**
     * Fails the test when a part is missing or differs, with its first different line. With
     * RAILS_WRITE_PAGES=1 in the environment, writes an existing part instead.
     * \param name of the part
     * \param text expected, with a final newline
     */
    void Expect(const std::string& name, const std::string& text);

  private:
    std::string m_path;
    std::string m_text;
};

} // namespace ns3::rails::test

#endif // GENERATED_PAGE_H
