// SPDX-License-Identifier: GPL-2.0-only

// Feeds anything to the reader of descriptors (libFuzzer). Whatever it is made of, a text is either
// a descriptor or refused by a DescriptorError; everything else ends the program and is a bug.

#include "ns3/nstime.h"
#include "ns3/rails-descriptor.h"
#include "ns3/rails-override.h"
#include "ns3/rails-yaml-tree.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3::rails;

/// A sweep makes each of its points, which is what it is for; few are enough here.
constexpr std::size_t kMostPoints = 32;

/// What a user gives: a file, and what comes behind it on the command line.
struct Input
{
    std::string text;
    std::vector<std::string> sets;
};

/// Lines at the end that begin with `--set ` are arguments of that option.
Input
Split(std::string text)
{
    const std::string option = "\n--set ";
    Input input;
    for (std::size_t at = text.rfind(option); at != std::string::npos; at = text.rfind(option))
    {
        input.sets.insert(input.sets.begin(), text.substr(at + option.size()));
        text.erase(at);
    }
    input.text = std::move(text);
    return input;
}

/// \return at least the points that the values below a key of `sweep` can make
std::size_t
CountPoints(const YamlNode& node)
{
    std::size_t points = std::max<std::size_t>(1, node.items.size());
    if (node.kind == YamlNode::Kind::Scalar)
    {
        points = std::strtoull(node.text.c_str(), nullptr, 10); // of `repeat`
    }
    for (const YamlNode& item : node.items)
    {
        points = std::max<std::size_t>(points, node.items.size() * item.entries.size());
    }
    for (const YamlEntry& entry : node.entries)
    {
        points = std::max(points, entry.value.items.size());
    }
    return points;
}

/// \return at least the points of the sweep, up to one more than are wanted
std::size_t
CountPoints(const Input& input)
{
    std::size_t points = 1;
    const auto multiply = [&](const YamlNode& node) {
        points = std::min(points * std::clamp<std::size_t>(CountPoints(node), 1, kMostPoints + 1),
                          kMostPoints + 1);
    };
    const YamlNode root = ParseYaml(input.text, "fuzz.yaml");
    if (const YamlEntry* sweep = root.Find("sweep"))
    {
        for (const YamlEntry& entry : sweep->value.entries)
        {
            multiply(entry.value);
        }
    }
    for (const std::string& set : input.sets)
    {
        try
        {
            const Override parsed = Override::Parse(set);
            if (parsed.key.rfind("sweep", 0) == 0)
            {
                multiply(parsed.value);
                for (const YamlEntry& entry : parsed.value.entries)
                {
                    multiply(entry.value);
                }
            }
        }
        catch (const DescriptorError&)
        {
        }
    }
    return points;
}

void
Require(bool holds, const std::string& what)
{
    if (!holds)
    {
        std::cerr << "wrong: " << what << std::endl;
        std::abort();
    }
}

/// The effective configuration of a point is a descriptor of the same experiment.
void
ReadBack(const Experiment& experiment)
{
    try
    {
        const Descriptor again = Descriptor::FromText(experiment.resolvedConfig, "effective.json");
        Require(again.GetPointCount() == 1 && !again.IsSweep(), "an effective sweep");
        Require(again.MakeExperiment(0).resolvedConfig == experiment.resolvedConfig,
                "the effective configuration changes: " + experiment.resolvedConfig);
    }
    catch (const DescriptorError& error)
    {
        Require(false, std::string("the effective configuration is refused: ") + error.what());
    }
}

/// Reads a text as ns-3 reads an attribute: to the end, whatever is in it.
template <typename List>
void
ReadList(const std::string& text)
{
    std::istringstream stream(text);
    List list;
    stream >> list;
    Require(stream.eof(), "a list that is not read to the end");
    if (!stream.fail())
    {
        std::ostringstream written;
        written << list;
        std::istringstream again(written.str());
        again >> list;
        Require(!again.fail(), "a list that cannot be read back: " + written.str());
    }
}

void
Read(const Input& input)
{
    if (CountPoints(input) > kMostPoints)
    {
        return;
    }
    const Descriptor descriptor = Descriptor::FromText(input.text, "fuzz.yaml", input.sets);
    Require(descriptor.GetPointCount() <= kMostPoints, "more points than were counted");
    for (std::size_t point = 0; point < descriptor.GetPointCount(); ++point)
    {
        descriptor.GetPointName(point);
        descriptor.FindPlace(point, "workload.matrix.bytes_per_pair");
    }
    ReadBack(descriptor.MakeExperiment(descriptor.GetPointCount() - 1));
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int
LLVMFuzzerInitialize(int* /* argc */, char*** /* argv */)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    ReadList<NumberList>(text);
    ReadList<CountList>(text);
    ReadList<NameList>(text);
    try
    {
        Read(Split(text));
    }
    catch (const DescriptorError& error)
    {
        Require(error.what()[0] != '\0', "an error without a word");
    }
    return 0;
}
