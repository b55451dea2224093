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
 * \param file library of components of one's own
 * \return what it is called in results: the folder that `./rails build` made it of
 * (`FOLDER-HASH.so`), so that every build of it has one name; the name of any other file
 */
std::string MakeLibraryName(const std::string& file);

/**
 * Makes the keys that runs are known by. Files that several runs read, and libraries that their
 * components come from, are read once.
 */
class RunKeys
{
  public:
    /**
     * \param experiment an experiment
     * \return what a run of it is made with: this program with the module's own library, and the
     * other libraries that components of the experiment come from
     */
    VersionInfo FindVersion(const Experiment& experiment);

    /**
     * \param experiment an experiment
     * \param version what a run of it is or was made with
     * \return SHA-256 of all that the result of a run follows from: the effective configuration
     * without its name, the versions of the module and of ns-3, the program and the libraries, the
     * content of the files that it reads
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
