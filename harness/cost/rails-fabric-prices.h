// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FABRIC_PRICES_H
#define RAILS_FABRIC_PRICES_H

#include "ns3/rails-yaml-tree.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What a fabric has of a device.
struct DeviceCount
{
    std::string device;
    double number{0};
    double price{0}; //!< of one, US dollars
};

/// What a fabric is made of.
struct FabricCost
{
    std::vector<DeviceCount> devices;
    double gpus{0};

    /// \return US dollars
    double GetTotal() const;

    /// \return what it has of a device, which may be none, at any price
    double Count(const std::string& device) const;
};

/// How large a fabric is.
struct FabricSize
{
    uint32_t servers{128};
    std::optional<uint32_t> opticalNics; //!< of a server; without it as many as the file says
    uint64_t rate{0};                    //!< of a NIC, bit/s
    std::optional<uint32_t> gpus{};      //!< of a server; without it as many as the file says
    std::optional<uint32_t> nics{};      //!< of a server, likewise
};

/// A device that has no price at a rate.
class PriceError : public DescriptorError
{
  public:
    using DescriptorError::DescriptorError;
};

/**
 * Prices of devices and the rules by which fabrics count them, as a YAML file has them; the one
 * that is compiled in, rails-fabric-prices.inc, says what may stand in it. (MixNet, arXiv
 * 2501.03905, section 7.2 and Table 4, and its cost calculator.)
 */
class FabricPrices
{
  public:
    /// \return the text of the file that is compiled in
    static const std::string& GetShippedText();

    /**
     * \param text the file
     * \param source its name, for messages
     * \throws DescriptorError with all that is wrong in it
     */
    FabricPrices(const std::string& text, const std::string& source);

    /// \return the fabrics that can be counted, in the order of the file
    std::vector<std::string> ListFabrics() const;

    /// \return the rates that there is some price for, in bit/s, the lowest first
    std::vector<uint64_t> ListRates() const;

    /// \return the devices, in the order of the file
    std::vector<std::string> ListDevices() const;

    /// \return true for a fabric that is there, be it refused
    bool Knows(const std::string& fabric) const;

    /// \return NICs of a server
    uint32_t GetNics() const;

    /// \return those of them that are at the optical switch, unless a size says otherwise
    uint32_t GetOpticalNics() const;

    /**
     * \param fabric its name
     * \param size how large it is
     * \return what it is made of
     * \throws DescriptorError for a fabric that is not known or not counted, with the reason, and
     * for more NICs at the optical switch than a server has; PriceError for a rate without a price
     */
    FabricCost Count(const std::string& fabric, const FabricSize& size) const;

    /**
     * \param device its name
     * \param rate of its cable, bit/s
     * \return US dollars for one
     * \throws DescriptorError for a device that the file lacks; PriceError, with the place
     * `--rate`, for a rate that its price lacks
     */
    double FindPrice(const std::string& device, uint64_t rate) const;

  private:
    struct Device
    {
        std::string name;
        std::map<uint64_t, double> prices; //!< by rate; at 0 that of any rate
    };

    /// How many of a device there are for each NIC of some kind.
    struct Rule
    {
        std::string device;
        double perNic{0};
        double perOpticalNic{0};
        double perElectricalNic{0};
    };

    struct Fabric
    {
        std::string name;
        std::string refused; //!< why it cannot be counted, or empty
        std::vector<Rule> rules;
    };

    void ReadServer(const YamlNode& node, DiagnosticList& faults);
    void ReadDevice(const YamlEntry& entry, DiagnosticList& faults);
    void ReadFabric(const YamlEntry& entry, DiagnosticList& faults);
    Rule ReadRule(const YamlEntry& entry, DiagnosticList& faults) const;
    const Fabric& FindFabric(const std::string& name) const;

    std::string m_source;
    uint32_t m_gpus{0};
    uint32_t m_nics{0};
    uint32_t m_opticalNics{0};
    std::vector<Device> m_devices;
    std::vector<Fabric> m_fabrics;
};

} // namespace ns3::rails

#endif // RAILS_FABRIC_PRICES_H
