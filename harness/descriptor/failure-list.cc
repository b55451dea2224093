// SPDX-License-Identifier: GPL-2.0-only
#include "failure-list.h"

#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <istream>
#include <iterator>
#include <limits>
#include <ostream>

namespace ns3::rails
{

namespace
{

/// Reads one entry of the list.
class EntryReader
{
  public:
    explicit EntryReader(const YamlNode& node)
        : m_node(node)
    {
        if (node.kind != YamlNode::Kind::Map)
        {
            throw DescriptorError(node.place,
                                  "expected a map such as {at: 10us, link: [leaf0, spine1], "
                                  "state: down}, found " +
                                      node.Describe());
        }
    }

    FailureEntry Read()
    {
        CheckKeys();
        ReadTarget();
        if (m_node.Find("from") || m_node.Find("every") || m_node.Find("down_for") ||
            m_node.Find("times"))
        {
            ReadFlap();
        }
        else
        {
            ReadChange();
        }
        return m_entry;
    }

  private:
    void CheckKeys() const
    {
        std::vector<std::string> known;
        for (const FailureKey& key : GetFailureKeys())
        {
            known.push_back(key.name);
        }
        for (const YamlEntry& entry : m_node.entries)
        {
            if (std::find(known.begin(), known.end(), entry.key) == known.end())
            {
                throw DescriptorError(entry.place,
                                      "unknown key '" + entry.key + "' of a failure" +
                                          SuggestName(entry.key, known));
            }
        }
    }

    void ReadTarget()
    {
        const YamlEntry* found = nullptr;
        for (const auto& [key, target] : {std::pair{"link", FailureEntry::Target::Link},
                                          std::pair{"switch", FailureEntry::Target::Switch},
                                          std::pair{"nic", FailureEntry::Target::Nic}})
        {
            if (const YamlEntry* entry = m_node.Find(key))
            {
                if (found)
                {
                    throw DescriptorError(entry->place,
                                          "a failure has one of link, switch and nic, this one "
                                          "has two");
                }
                found = entry;
                m_entry.target = target;
            }
        }
        if (!found)
        {
            throw DescriptorError(m_node.place,
                                  "nothing is named that fails; add link: [END, END], switch: "
                                  "NAME or nic: NAME");
        }
        ReadNames(found->value);
        if (const YamlEntry* cable = m_node.Find("cable"))
        {
            if (m_entry.names.size() != 2)
            {
                throw DescriptorError(cable->place,
                                      "'cable' picks one of parallel cables, with link: [END, "
                                      "END] only");
            }
            m_entry.cable = static_cast<uint32_t>(ReadCount(*cable, 0, kLargestCable));
        }
    }

    void ReadNames(const YamlNode& node)
    {
        if (m_entry.target != FailureEntry::Target::Link)
        {
            m_entry.names.push_back(ReadText(node, "a name"));
            return;
        }
        if (node.kind != YamlNode::Kind::List || node.items.empty() || node.items.size() > 2)
        {
            throw DescriptorError(node.place,
                                  "expected the two ends of a link, [leaf0, spine1], or a NIC, "
                                  "[server0-nic1]; found " +
                                      node.Describe());
        }
        for (const YamlNode& item : node.items)
        {
            m_entry.names.push_back(ReadText(item, "the name of a switch or NIC"));
        }
    }

    void ReadChange()
    {
        m_entry.at = ReadTime(Require("at"), 0);
        const YamlEntry* state = m_node.Find("state");
        const YamlEntry* rate = m_node.Find("rate");
        if ((state != nullptr) == (rate != nullptr))
        {
            throw DescriptorError(state ? rate->place : m_node.place,
                                  "a failure needs one of state: down, state: up and rate: RATE");
        }
        if (rate)
        {
            m_entry.change = FailureEntry::Change::Rate;
            m_entry.rateBps = ReadRate(rate->value);
            return;
        }
        const std::string& text = ReadText(state->value, "down or up");
        if (text != "down" && text != "up")
        {
            throw DescriptorError(state->value.place,
                                  "unknown state '" + text + "'" +
                                      SuggestName(text, {"down", "up"}));
        }
        m_entry.change = text == "down" ? FailureEntry::Change::Down : FailureEntry::Change::Up;
    }

    void ReadFlap()
    {
        for (const char* key : {"at", "state", "rate"})
        {
            if (const YamlEntry* entry = m_node.Find(key))
            {
                throw DescriptorError(entry->place,
                                      std::string("'") + key +
                                          "' does not go with from, every, down_for and times");
            }
        }
        m_entry.change = FailureEntry::Change::Flap;
        m_entry.at = ReadTime(Require("from"), 0);
        m_entry.every = ReadTime(Require("every"), 1);
        m_entry.downFor = ReadTime(Require("down_for"), 1);
        m_entry.times = ReadCount(Require("times"), 1, kMostFlaps);
        if (m_entry.downFor >= m_entry.every)
        {
            throw DescriptorError(Require("down_for").value.place,
                                  "down_for must be shorter than every, or nothing ever comes "
                                  "back");
        }
        // All of it must fit the simulator's time.
        if (m_entry.every > (kNever / 4 - m_entry.at) / static_cast<TimePs>(m_entry.times))
        {
            throw DescriptorError(Require("times").value.place, "this lasts too long");
        }
    }

    const YamlEntry& Require(const std::string& key) const
    {
        const YamlEntry* entry = m_node.Find(key);
        if (!entry)
        {
            throw DescriptorError(m_node.place, "a failure of this kind needs '" + key + "'");
        }
        return *entry;
    }

    static const std::string& ReadText(const YamlNode& node, const std::string& expected)
    {
        if (node.kind != YamlNode::Kind::Scalar)
        {
            throw DescriptorError(node.place,
                                  "expected " + expected + ", found " + node.Describe());
        }
        return node.text;
    }

    static TimePs ReadTime(const YamlEntry& entry, TimePs least)
    {
        const std::string& text = ReadText(entry.value, DescribeDimension(Dimension::Time));
        try
        {
            const TimePs time = ParseTime(text);
            if (time < least || time > kNever / 4)
            {
                throw QuantityError("'" + text + "' is out of range");
            }
            return time;
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(entry.value.place, error.what());
        }
    }

    static uint64_t ReadRate(const YamlNode& node)
    {
        const std::string& text = ReadText(node, DescribeDimension(Dimension::Rate));
        try
        {
            const uint64_t rate = ParseRate(text);
            if (rate == 0)
            {
                throw QuantityError("a link of this rate carries nothing; write state: down");
            }
            return rate;
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(node.place, error.what());
        }
    }

    static uint64_t ReadCount(const YamlEntry& entry, uint64_t least, uint64_t most)
    {
        const std::string& text = ReadText(entry.value, DescribeDimension(Dimension::Count));
        if (entry.value.quoted)
        {
            throw DescriptorError(entry.value.place,
                                  "expected " + DescribeDimension(Dimension::Count) +
                                      ", found a text in quotes; write " + text);
        }
        try
        {
            const uint64_t count = ParseCount(text);
            if (count < least || count > most)
            {
                throw QuantityError("'" + text + "' is out of range; allowed: " +
                                    std::to_string(least) + " to " + std::to_string(most));
            }
            return count;
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(entry.value.place, error.what());
        }
    }

    const YamlNode& m_node;
    FailureEntry m_entry;
};

nlohmann::ordered_json
EncodeEntry(const FailureEntry& entry)
{
    nlohmann::ordered_json json;
    if (entry.change == FailureEntry::Change::Flap)
    {
        json["from"] = FormatTime(entry.at);
        json["every"] = FormatTime(entry.every);
        json["down_for"] = FormatTime(entry.downFor);
        json["times"] = entry.times;
    }
    else
    {
        json["at"] = FormatTime(entry.at);
    }
    if (entry.target == FailureEntry::Target::Link)
    {
        json[entry.GetTargetName()] = entry.names;
    }
    else
    {
        json[entry.GetTargetName()] = entry.names.front();
    }
    if (entry.cable)
    {
        json["cable"] = *entry.cable;
    }
    switch (entry.change)
    {
    case FailureEntry::Change::Down:
        json["state"] = "down";
        break;
    case FailureEntry::Change::Up:
        json["state"] = "up";
        break;
    case FailureEntry::Change::Rate:
        json["rate"] = FormatRate(entry.rateBps);
        break;
    case FailureEntry::Change::Flap:
        break;
    }
    return json;
}

} // namespace

const std::vector<FailureKey>&
GetFailureKeys()
{
    static const std::vector<FailureKey> keys{
        {"at", "When it happens (time)."},
        {"link",
         "Its two ends, such as [leaf0, spine1]: all cables between them; or a NIC, "
         "[server0-nic1]: "
         "its cable. One of link, switch and nic is required."},
        {"switch", "Name of a switch: all its cables."},
        {"nic", "Name of a NIC, such as server0-nic1: its cable."},
        {"cable",
         "Which of parallel cables between the two ends of 'link', from 0 (count, 0 to 65535); all "
         "of them without it."},
        {"state", "What it is from then on (word: down, up). Either this or 'rate'."},
        {"rate", "Rate of its cables from then on (rate, above 0bps)."},
        {"from", "When it goes down for the first time, if it comes and goes (time)."},
        {"every", "From one failure to the next (time, above 0s)."},
        {"down_for", "How long each failure lasts (time, above 0s and below 'every')."},
        {"times", "How often it fails (count, 1 to 100000)."},
    };
    return keys;
}

FailureList
DecodeFailures(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::List)
    {
        throw DescriptorError(node.place, "expected a list of failures, found " + node.Describe());
    }
    std::vector<FailureEntry> entries;
    for (const YamlNode& item : node.items)
    {
        entries.push_back(EntryReader(item).Read());
    }
    return {std::move(entries)};
}

nlohmann::ordered_json
EncodeFailures(const FailureList& list)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const FailureEntry& entry : list.Get())
    {
        json.push_back(EncodeEntry(entry));
    }
    return json;
}

std::ostream&
operator<<(std::ostream& os, const FailureList& list)
{
    return os << EncodeFailures(list).dump();
}

std::istream&
operator>>(std::istream& is, FailureList& list)
{
    // Reads to the end in any case: ns-3 aborts the process when something is left.
    const std::string text(std::istreambuf_iterator<char>(is), {});
    try
    {
        list = DecodeFailures(ParseYaml(text, "failures", false));
        is.clear(std::ios::eofbit);
    }
    catch (const DescriptorError&)
    {
        is.setstate(std::ios::failbit | std::ios::eofbit);
    }
    return is;
}

ATTRIBUTE_VALUE_IMPLEMENT(FailureList);

Ptr<const AttributeChecker>
MakeFailureListChecker()
{
    return MakeSimpleAttributeChecker<FailureListValue, FailureListChecker>(
        "ns3::rails::FailureListValue",
        "list of failures");
}

} // namespace ns3::rails
