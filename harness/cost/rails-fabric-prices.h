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

/// The devices of one kind in a fabric.
struct DeviceCount
{
    std::string device;
    double number{0};
    double price{0}; //!< of one device, US dollars
};

/// The bill of materials of a fabric.
struct FabricCost
{
    std::vector<DeviceCount> devices;
    double gpus{0};

    /// \return the total cost, US dollars
    double GetTotal() const;

    /// \return the number of devices of this kind at any price, possibly 0
    double Count(const std::string& device) const;
};

/// How large a fabric is.
struct FabricSize
{
    uint32_t servers{128};
    std::optional<uint32_t> opticalNics; //!< of a server; default: the file of prices
    uint64_t rate{0};                    //!< of a NIC, bit/s
    std::optional<uint32_t> gpus{};      //!< of a server, likewise
    std::optional<uint32_t> nics{};      //!< of a server, likewise
};

/// A device has no price at a rate.
class PriceError : public DescriptorError
{
  public:
    using DescriptorError::DescriptorError;
};

/**
 * Prices of devices, and rules for the number of devices in a fabric, from a YAML file. The
 * compiled-in file, rails-fabric-prices.inc, documents the format. (MixNet, arXiv 2501.03905,
 * section 7.2 and Table 4, and its cost calculator.)
 */
class FabricPrices
{
  public:
    /// \return the text of the compiled-in file
    static const std::string& GetShippedText();

    /**
     * \param text the file
     * \param source its name, for messages
     * \throws DescriptorError with all errors of the file
     */
    FabricPrices(const std::string& text, const std::string& source);

    /// \return the fabrics with rules, in the order of the file
    std::vector<std::string> ListFabrics() const;

    /// \return the rates with at least one price, ascending, bit/s
    std::vector<uint64_t> ListRates() const;

    /// \return the devices, in the order of the file
    std::vector<std::string> ListDevices() const;

    /// \return true for a fabric in the file, even one without rules
    bool Knows(const std::string& fabric) const;

    /// \return NICs of a server
    uint32_t GetNics() const
    {
        return m_nics;
    }

    /// \return NICs of a server at the optical switch, unless a FabricSize says otherwise
    uint32_t GetOpticalNics() const
    {
        return m_opticalNics;
    }

    /**
     * \param fabric its name
     * \throws DescriptorError for an unknown fabric, for one without rules (with the reason), and
     * for more NICs at the optical switch than a server has; PriceError for a rate without a price
     */
    FabricCost Count(const std::string& fabric, const FabricSize& size) const;

    /**
     * \param device its name
     * \param rate of its cable, bit/s
     * \return US dollars for one device
     * \throws DescriptorError for a device that is not in the file; PriceError, with the place
     * `--rate`, for a rate without a price
     */
    double FindPrice(const std::string& device, uint64_t rate) const;

  private:
    struct Device
    {
        std::string name;
        std::map<uint64_t, double> prices; //!< by rate; key 0: price at any rate
    };

    /// Number of devices of one kind per NIC.
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
        std::string refused; //!< why it has no rules, or empty
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
