// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ERROR_H
#define RAILS_ERROR_H

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

/**
 * A configuration that cannot work: a component throws it from its checks, the descriptor reader
 * turns it into a message with the place of the key.
 */
class ConfigurationError : public std::runtime_error
{
  public:
    /**
     * \param key path of the offending key from the component that throws, in the descriptor's
     * spelling ("kmin", "matrix.density"); empty for the component as a whole
     * \param message names the mistake and a valid value
     */
    ConfigurationError(std::string key, const std::string& message)
        : std::runtime_error(message),
          m_key(std::move(key))
    {
    }

    /// \return path of the offending key, possibly empty
    const std::string& GetKey() const
    {
        return m_key;
    }

  private:
    std::string m_key;
};

} // namespace ns3::rails

#endif // RAILS_ERROR_H
