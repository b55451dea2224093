// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_DESCRIPTOR_H
#define RAILS_DESCRIPTOR_H

#include "rails-experiment.h"
#include "rails-schema.h"
#include "rails-section-memory.h"
#include "rails-sweep.h"
#include "rails-yaml-tree.h"

#include "ns3/rails-warnings.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Looks for what single components cannot know: values that contradict each other.
 * \throws ConfigurationError with the path of the offending key from the top of the descriptor
 * \return what works and is hardly meant
 */
using ExperimentCheck = std::function<std::vector<ExperimentWarning>(const Experiment&)>;

/// What a descriptor was made from.
struct DescriptorText
{
    std::string source;            //!< its file, as the user named it
    std::string text;              //!< what is in it
    std::vector<std::string> sets; //!< arguments of `--set`, KEY=VALUE
};

/**
 * A descriptor file with the changes of the command line: one experiment, or the points of a sweep.
 * The time resolution must be picoseconds before one is made.
 */
class Descriptor
{
  public:
    /**
     * Reads a descriptor and makes the experiment of every point once, so that nothing is run
     * before everything is known to be right.
     * \param path its file
     * \param sets the arguments of `--set`, KEY=VALUE
     * \param check further checks of every point, possibly none
     * \throws DescriptorError with everything that is wrong
     */
    Descriptor(const std::string& path,
               const std::vector<std::string>& sets,
               ExperimentCheck check = nullptr);

    /**
     * The same with the text of a descriptor.
     * \param text the descriptor
     * \param source its file, as far as messages, the default name and relative paths go
     */
    static Descriptor FromText(const std::string& text,
                               const std::string& source,
                               const std::vector<std::string>& sets = {},
                               ExperimentCheck check = nullptr);

    /// \return what it was made from
    const DescriptorText& GetText() const;

    /// \return what the check had to say of points that are right, each with its place, once, and
    /// of points that are left out
    const std::vector<Diagnostic>& GetWarnings() const;

    /// A point of a sweep over policies of experts whose policy cannot work there.
    struct LeftOut
    {
        std::string name; //!< of the point, which is none of the descriptor
        std::string why;
    };

    /// \return what is left out, in the order of the sweep; never all points
    const std::vector<LeftOut>& GetLeftOut() const;

    /// \return the `name` key, by default the file's name
    const std::string& GetName() const;

    /// \return true when there is a `sweep` section with axes
    bool IsSweep() const;

    /// \return number of points, 1 without a sweep
    std::size_t GetPointCount() const;

    /// \return name of a point's folder; empty without a sweep
    std::string GetPointName(std::size_t point) const;

    /// \return what the names of points that differ in their seed alone have in common
    std::string GetGroupName(std::size_t point) const;

    /// \return the points, their labels, and what they are compared with
    const Sweep& GetSweep() const;

    /**
     * Makes the objects of a point, which passed the checks before.
     * \throws DescriptorError when a file that it names is gone
     */
    Experiment MakeExperiment(std::size_t point) const;

    /**
     * The same to look at, not to run: points that say the same of a section share its component.
     * \throws DescriptorError when a file that it names is gone
     */
    Experiment LookAt(std::size_t point) const;

    /**
     * \param point a point
     * \param key path of a key from the top
     * \return where the key of this point was written, or the nearest section around it
     */
    Place FindPlace(std::size_t point, const std::string& key) const;

  private:
    Descriptor(DescriptorText text, ExperimentCheck check);

    void ApplySets(const std::vector<std::string>& sets, DiagnosticList& diagnostics);
    void ApplySet(const Override& set);
    void ReadName(DiagnosticList& diagnostics);
    YamlNode MakeTree(std::size_t point) const;
    ReadSection Read(const Section& section,
                     const YamlEntry* entry,
                     const Place& place,
                     DiagnosticList& diagnostics) const;
    void ReadSections(const YamlNode& root,
                      Experiment& experiment,
                      SectionMemory& memory,
                      DiagnosticList& diagnostics) const;
    Experiment MakeExperiment(std::size_t point,
                              SectionMemory& memory,
                              DiagnosticList& diagnostics) const;
    void CheckExperiment(const Experiment& experiment,
                         std::size_t point,
                         DiagnosticList& diagnostics,
                         DiagnosticList& warnings);
    bool IsOfPolicies(std::size_t point, const std::string& key) const;
    void LeaveOut(DiagnosticList& diagnostics, DiagnosticList& warnings);

    /// A point that cannot be run, and why.
    struct Fault
    {
        std::size_t point;
        Place place;
        std::string message;
    };

    DescriptorText m_text;
    std::string m_folder;
    std::string m_name;
    YamlNode m_root; //!< without `sweep`
    Sweep m_sweep;
    ExperimentCheck m_check;
    mutable SectionMemory m_memory; //!< of LookAt()
    std::vector<Diagnostic> m_warnings;
    std::vector<Fault> m_faults; //!< of policies of experts that cannot work there
    std::vector<LeftOut> m_leftOut;
};

} // namespace ns3::rails

#endif // RAILS_DESCRIPTOR_H
