// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_DESCRIPTOR_H
#define RAILS_DESCRIPTOR_H

#include "component-registry.h"
#include "rails-experiment.h"
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
 * Checks values of several components that contradict each other.
 * \throws ConfigurationError with the path of the offending key from the top of the descriptor
 * \return warnings about values that work but are probably unintended
 */
using ExperimentCheck = std::function<std::vector<ExperimentWarning>(const Experiment&)>;

/// The sources of a Descriptor.
struct DescriptorText
{
    std::string source;            //!< its file, as the user named it
    std::string text;              //!< its content
    std::vector<std::string> sets; //!< arguments of `--set`, KEY=VALUE
};

/**
 * A descriptor file with the changes of the command line: one experiment, or the points of a sweep.
 * The time resolution must be picoseconds before the constructor.
 */
class Descriptor
{
  public:
    /**
     * Reads a descriptor and creates the experiment of every point once, so that all errors come
     * before the first run.
     * \param path its file
     * \param sets the arguments of `--set`, KEY=VALUE
     * \param check further checks of every point, possibly none
     * \throws DescriptorError with all errors
     */
    Descriptor(const std::string& path,
               const std::vector<std::string>& sets,
               ExperimentCheck check = nullptr);

    /**
     * Reads a descriptor from memory.
     * \param text the descriptor
     * \param source path of a file for messages, the default name and relative paths
     */
    static Descriptor FromText(const std::string& text,
                               const std::string& source,
                               const std::vector<std::string>& sets = {},
                               ExperimentCheck check = nullptr);

    const DescriptorText& GetText() const
    {
        return m_text;
    }

    /// \return distinct warnings of the check about valid points, and about points that are left
    /// out
    const std::vector<Diagnostic>& GetWarnings() const
    {
        return m_warnings;
    }

    /// A point of a sweep over expert placement policies whose policy cannot run in its setting.
    struct LeftOut
    {
        std::string name; //!< of the point, which is no longer one of the descriptor's points
        std::string why;
    };

    /// \return the points that are left out, in the order of the sweep; never all points
    const std::vector<LeftOut>& GetLeftOut() const
    {
        return m_leftOut;
    }

    /// \return the `name` key, by default the file's name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// \return true when there is a `sweep` section with axes
    bool IsSweep() const;

    /// \return number of points, 1 without a sweep
    std::size_t GetPointCount() const;

    /// \return name of a point's folder; empty without a sweep
    std::string GetPointName(std::size_t point) const;

    /// \return name of a point without its seed, equal for points that differ only in the seed
    std::string GetGroupName(std::size_t point) const;

    /// \return the points, their labels and their baselines
    const Sweep& GetSweep() const
    {
        return m_sweep;
    }

    /**
     * Creates new objects for a point.
     * \throws DescriptorError when an input file has disappeared
     */
    Experiment MakeExperiment(std::size_t point) const;

    /**
     * Like MakeExperiment(), for reading only: points with equal values of a section share its
     * component.
     * \throws DescriptorError when an input file has disappeared
     */
    Experiment Examine(std::size_t point) const;

    /**
     * \param key dotted path from the top
     * \return where the value of this key at this point was written, or else the nearest enclosing
     * section
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

    /// A point whose policy cannot run in its setting.
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
    mutable SectionMemory m_memory; //!< of Examine()
    std::vector<Diagnostic> m_warnings;
    std::vector<Fault> m_faults; //!< points to leave out
    std::vector<LeftOut> m_leftOut;
};

} // namespace ns3::rails

#endif // RAILS_DESCRIPTOR_H
