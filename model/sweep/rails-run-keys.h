// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_KEYS_H
#define RAILS_RUN_KEYS_H

#include "ns3/rails-experiment.h"

#include <map>
#include <string>

namespace ns3::rails
{

/// Makes the keys that runs are known by. Files that several runs read are read once.
class RunKeys
{
  public:
    /**
     * \return SHA-256 of all that the result of a run follows from: the effective configuration
     * without its name, the versions of the module and of ns-3, the content of the files that it
     * reads
     */
    std::string Compute(const Experiment& experiment);

  private:
    const std::string& GetDigest(const std::string& file);

    std::map<std::string, std::string> m_digests; //!< of files, by name
};

} // namespace ns3::rails

#endif // RAILS_RUN_KEYS_H
