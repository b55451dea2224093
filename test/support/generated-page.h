// SPDX-License-Identifier: GPL-2.0-only
#ifndef GENERATED_PAGE_H
#define GENERATED_PAGE_H

#include <string>
#include <vector>

namespace ns3::rails::test
{

/**
 * A page of which parts are made from the program. Such a part stands between the lines
 * `.. generated: NAME` and `.. end: NAME`, in Markdown between comments that say the same; what is
 * around them is written by hand.
 */
class GeneratedPage
{
  public:
    /// \param path of the page from this repository's folder: "doc/descriptor.rst"
    explicit GeneratedPage(const std::string& path);

    /// \return the whole page
    const std::string& GetText() const;

    /// \return the names of the parts, in the order of the page
    std::vector<std::string> GetParts() const;

    /**
     * \param name of a part
     * \return what stands in it, with a newline at the end; empty when the page has no such part
     */
    std::string GetPart(const std::string& name) const;

    /**
     * Fails with the first line that differs when a part is not what it should be, or is missing.
     * With RAILS_WRITE_PAGES=1 in the environment a part that is there is written instead.
     * \param name of the part
     * \param text what should stand in it, with a newline at the end
     */
    void Expect(const std::string& name, const std::string& text);

  private:
    std::string m_path;
    std::string m_text;
};

} // namespace ns3::rails::test

#endif // GENERATED_PAGE_H
