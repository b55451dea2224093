// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_KEYS_H
#define RAILS_RUN_KEYS_H

#include "rails-result.h"

#include "ns3/rails-experiment.h"

#include <map>
#include <string>
#include <typeindex>
#include <typeinfo>

namespace ns3::rails
{

/**
 * \param file library of user-defined components
 * \return its name in results: the source folder of `./rails build` for `FOLDER-HASH.so`, so that
 * all builds share one name; otherwise the file name
 */
std::string MakeLibraryName(const std::string& file);

/**
 * Computes the keys that identify runs. Reads each input file and each library of components once.
 */
class RunKeys
{
  public:
    /**
     * \return versions for a run of the experiment: of this program with the module's own library,
     * and of the other libraries with components of the experiment
     */
    VersionInfo FindVersion(const Experiment& experiment);

    /**
     * \param version of the program and libraries of the run
     * \return SHA-256 of all inputs of a run: the effective configuration without its name, the
     * versions of the module and of ns-3, the program and the libraries, and the content of its
     * input files
     */
    std::string Compute(const Experiment& experiment, const VersionInfo& version);

    /// \return the key of a run of the experiment in this process
    std::string Compute(const Experiment& experiment);

  private:
    const std::string& GetLibrary(const std::type_info& type);
    const std::string& GetDigest(const std::string& file);

    std::map<std::type_index, std::string> m_libraries; //!< files that classes are in
    std::map<std::string, std::string> m_digests;       //!< of files, by name
};

} // namespace ns3::rails

#endif // RAILS_RUN_KEYS_H
