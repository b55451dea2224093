// SPDX-License-Identifier: GPL-2.0-only
#include "../run/experiment-fixtures.h"

#include "ns3/automatic-switch.h"
#include "ns3/boolean.h"
#include "ns3/component-registry.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/rails-component-reader.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace test
{

/// A kind of component with two types, as a user would add them.
class Engine : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::Engine")
                                .SetParent<Object>()
                                .AddAttribute("Power",
                                              "A key of every engine.",
                                              UintegerValue(3),
                                              MakeUintegerAccessor(&Engine::m_power),
                                              MakeUintegerChecker<uint32_t>(2, 9));
        return tid;
    }

    uint32_t m_power{0};
};

class SteamEngine : public Engine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rails::test::SteamEngine")
                .SetParent<Engine>()
                .AddConstructor<SteamEngine>()
                .AddAttribute("Preset",
                              "Sets the pressure.",
                              StringValue("none"),
                              MakeStringAccessor(&SteamEngine::SetPreset, &SteamEngine::GetPreset),
                              MakeStringChecker())
                .AddAttribute("Pressure",
                              "Set by the preset, or by itself.",
                              DoubleValue(1),
                              MakeDoubleAccessor(&SteamEngine::m_pressure),
                              MakeDoubleChecker<double>(0.5));
        return tid;
    }

    void SetPreset(std::string preset)
    {
        if (preset == "broken")
        {
            throw ConfigurationError("preset", "this preset is broken");
        }
        m_preset = preset;
        m_pressure = preset == "high" ? 100 : m_pressure;
    }

    std::string GetPreset() const
    {
        return m_preset;
    }

    std::string m_preset;
    double m_pressure{0};
};

class PlainEngine : public Engine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::PlainEngine")
                                .SetParent<Engine>()
                                .AddConstructor<PlainEngine>();
        return tid;
    }
};

/// A component with a key of every dimension.
class Machine : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rails::test::Machine")
                                .SetParent<Object>()
                                .AddConstructor<Machine>()
                                .AddAttribute("Delay",
                                              "A time from 1 ns to 1 s.",
                                              TimeValue(MicroSeconds(1)),
                                              MakeTimeAccessor(&Machine::m_delay),
                                              MakeTimeRange(1'000, 1'000'000'000'000))
                                .AddAttribute("Rate",
                                              "Any rate at all.",
                                              DataRateValue(DataRate(1000)),
                                              MakeDataRateAccessor(&Machine::m_rate),
                                              MakeRateRange())
                                .AddAttribute("Room",
                                              "A size, or as much as there is.",
                                              ByteSizeValue(ByteSize::Special()),
                                              MakeByteSizeAccessor(&Machine::m_room),
                                              MakeByteRange(10, 2000, {"everything"}))
                                .AddAttribute("Offset",
                                              "A number of either sign.",
                                              IntegerValue(-2),
                                              MakeIntegerAccessor(&Machine::m_offset),
                                              MakeIntegerChecker<int32_t>(-5, 5))
                                .AddAttribute("Share",
                                              "A fraction of the whole.",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&Machine::m_share),
                                              MakeDoubleChecker<double>(0.25, 0.75))
                                .AddAttribute("On",
                                              "Whether it is switched on.",
                                              BooleanValue(true),
                                              MakeBooleanAccessor(&Machine::m_on),
                                              MakeBooleanChecker())
                                .AddAttribute("Lights",
                                              "Whether they are on.",
                                              AutomaticSwitchValue(AutomaticSwitch()),
                                              MakeAutomaticSwitchAccessor(&Machine::m_lights),
                                              MakeAutomaticSwitchChecker())
                                .AddAttribute("Weights",
                                              "A list of numbers.",
                                              NumberListValue(NumberList({1, 2.5})),
                                              MakeNumberListAccessor(&Machine::m_weights),
                                              MakeNumberListChecker())
                                .AddAttribute("Label",
                                              "A text without meaning.",
                                              StringValue("a label"),
                                              MakeStringAccessor(&Machine::m_label),
                                              MakeStringChecker())
                                .AddAttribute("Engine",
                                              "An engine that must be named.",
                                              PointerValue(),
                                              MakePointerAccessor(&Machine::m_engine),
                                              MakePointerChecker<Engine>())
                                .AddAttribute("Spare",
                                              "An engine with a default.",
                                              StringValue("ns3::rails::test::SteamEngine"),
                                              MakePointerAccessor(&Machine::m_spare),
                                              MakePointerChecker<Engine>());
        return tid;
    }

    Time m_delay;
    DataRate m_rate;
    ByteSize m_room;
    int32_t m_offset{0};
    double m_share{0};
    bool m_on{false};
    AutomaticSwitch m_lights;
    NumberList m_weights;
    std::string m_label;
    Ptr<Engine> m_engine;
    Ptr<Engine> m_spare;
};

NS_OBJECT_ENSURE_REGISTERED(Engine);
NS_OBJECT_ENSURE_REGISTERED(SteamEngine);
NS_OBJECT_ENSURE_REGISTERED(PlainEngine);
NS_OBJECT_ENSURE_REGISTERED(Machine);

} // namespace test

using test::Machine;
using test::SteamEngine;

class ComponentReaderTest : public ExperimentTest
{
  protected:
    /// \return the component; m_errors has what was wrong
    Ptr<Machine> ReadMachine(const std::string& text)
    {
        const YamlNode node = ParseYaml(text, "f");
        DiagnosticList diagnostics;
        const Ptr<Object> read = ComponentReader("", diagnostics)
                                     .Read(Machine::GetTypeId(), "machine", &node, node.place);
        m_errors.clear();
        try
        {
            diagnostics.ThrowIfAny();
        }
        catch (const DescriptorError& error)
        {
            m_errors = error.what();
        }
        return DynamicCast<Machine>(read);
    }

    static std::string GetRange(const std::string& key)
    {
        for (const ComponentKey& known : GetComponentKeys(Machine::GetTypeId()))
        {
            if (known.name == key)
            {
                return known.kind->DescribeRange(known.attribute);
            }
        }
        return "no such key";
    }

    std::string m_errors;
};

TEST_F(ComponentReaderTest, EveryDimensionIsSet)
{
    const Ptr<Machine> machine =
        ReadMachine("{delay: 2.5us, rate: 3Gbps, room: 1KB, offset: -5, share: 0.75, on: false, "
                    "weights: [0.5, 1e-3], label: hello, engine: {type: plain, power: 9}}");
    ASSERT_EQ(m_errors, "");
    EXPECT_EQ(machine->m_delay, NanoSeconds(2500));
    EXPECT_EQ(machine->m_rate.GetBitRate(), 3'000'000'000U);
    EXPECT_EQ(machine->m_room.Get(), 1000U);
    EXPECT_EQ(machine->m_offset, -5);
    EXPECT_DOUBLE_EQ(machine->m_share, 0.75);
    EXPECT_FALSE(machine->m_on);
    EXPECT_EQ(machine->m_weights.Get(), (std::vector<double>{0.5, 1e-3}));
    EXPECT_EQ(machine->m_label, "hello");
    EXPECT_EQ(machine->m_engine->m_power, 9U);
}

TEST_F(ComponentReaderTest, WordStandsForTheSpecialValue)
{
    EXPECT_TRUE(ReadMachine("{room: everything, engine: plain}")->m_room.IsSpecial());
    ReadMachine("{room: everythin, engine: plain}");
    EXPECT_NE(m_errors.find("did you mean 'everything'?"), std::string::npos) << m_errors;
}

TEST_F(ComponentReaderTest, SwitchCanBeAutomatic)
{
    EXPECT_TRUE(ReadMachine("{engine: plain}")->m_lights.IsAutomatic());
    EXPECT_TRUE(ReadMachine("{lights: automatic, engine: plain}")->m_lights.IsAutomatic());
    EXPECT_EQ(ReadMachine("{lights: true, engine: plain}")->m_lights, AutomaticSwitch(true));
    EXPECT_EQ(ReadMachine("{lights: false, engine: plain}")->m_lights, AutomaticSwitch(false));
    EXPECT_EQ(m_errors, "");
    ReadMachine("{lights: automatc, engine: plain}");
    EXPECT_NE(m_errors.find("did you mean 'automatic'?"), std::string::npos) << m_errors;
    ReadMachine("{lights: yes, engine: plain}");
    EXPECT_EQ(m_errors.substr(m_errors.size() - 20), "did you mean 'true'?") << m_errors;
    ReadMachine("{lights: sideways, engine: plain}");
    EXPECT_NE(m_errors.find("; or the word 'automatic'"), std::string::npos) << m_errors;
    ReadMachine("{lights: 'true', engine: plain}");
    EXPECT_NE(m_errors.find("found a text in quotes"), std::string::npos) << m_errors;
    ReadMachine("{lights: [true], engine: plain}");
    EXPECT_NE(m_errors.find("or 'automatic', found"), std::string::npos) << m_errors;
}

TEST_F(ComponentReaderTest, PresetIsAppliedBeforeTheKeysThatItPresets)
{
    const auto pressureOf = [this](const std::string& keys) {
        const Ptr<Machine> machine = ReadMachine("{engine: {type: steam, " + keys + "}}");
        return DynamicCast<SteamEngine>(machine->m_engine)->m_pressure;
    };
    EXPECT_DOUBLE_EQ(pressureOf("preset: high"), 100);
    EXPECT_DOUBLE_EQ(pressureOf("pressure: 7, preset: high"), 7);
    EXPECT_DOUBLE_EQ(pressureOf("preset: high, pressure: 7"), 7);
}

TEST_F(ComponentReaderTest, InnerComponentWithoutDefaultIsRequired)
{
    ReadMachine("{on: true}");
    EXPECT_EQ(m_errors,
              "f:1:1: error: required key 'machine.engine.type' is missing; known: plain, "
              "steam");
}

TEST_F(ComponentReaderTest, InnerComponentsKeepTheirDefaultTypeAndAreNotShared)
{
    const Ptr<Machine> first = ReadMachine("{engine: plain, spare: {power: 9}}");
    const Ptr<Machine> second = ReadMachine("{engine: plain}");
    ASSERT_NE(DynamicCast<SteamEngine>(first->m_spare), nullptr);
    EXPECT_EQ(first->m_spare->m_power, 9U);
    EXPECT_EQ(second->m_spare->m_power, 3U);
}

TEST_F(ComponentReaderTest, ErrorOfASetterIsPlacedAtItsKey)
{
    ReadMachine("{engine: {type: steam, preset: broken}}");
    EXPECT_EQ(m_errors, "f:1:24: error: this preset is broken");
}

TEST_F(ComponentReaderTest, MistakesOfInnerComponentsNameThem)
{
    ReadMachine("{engine: {type: steem}}");
    EXPECT_EQ(
        m_errors,
        "f:1:17: error: unknown type 'steem' of 'machine.engine'; did you mean 'steam'? Known: "
        "plain, steam; one of your own needs --with DIR");
    ReadMachine("{engine: {type: plain, powr: 5}}");
    EXPECT_EQ(m_errors,
              "f:1:24: error: unknown key 'powr' of plain; did you mean 'power'? Known: type, "
              "power");
    ReadMachine("{weights: [1, two], engine: plain}");
    EXPECT_NE(m_errors.find("f:1:15: error: 'two' is not a number"), std::string::npos) << m_errors;
}

TEST_F(ComponentReaderTest, RangesAreFoundExactly)
{
    EXPECT_EQ(GetRange("delay"), "1ns to 1s");
    EXPECT_EQ(GetRange("rate"), "");
    EXPECT_EQ(GetRange("room"), "10B to 2KB, or everything");
    EXPECT_EQ(GetRange("offset"), "-5 to 5");
    EXPECT_EQ(GetRange("share"), "0.25 to 0.75");
    EXPECT_EQ(GetRange("on"), "true or false");
    EXPECT_EQ(GetRange("lights"), "automatic, true or false");
    EXPECT_EQ(GetRange("weights"), "");
    EXPECT_EQ(GetRange("label"), "");
}

TEST_F(ComponentReaderTest, ValuesOutOfRangeAreRefusedAtBothEnds)
{
    for (const std::string bad : {"delay: 999ps",
                                  "delay: 1000001us",
                                  "room: 9B",
                                  "room: 2001B",
                                  "offset: -6",
                                  "offset: 6",
                                  "share: 0.2499999",
                                  "share: 0.7500001"})
    {
        ReadMachine("{" + bad + ", engine: plain}");
        EXPECT_NE(m_errors.find("is out of range; allowed: "), std::string::npos)
            << bad << " gave " << m_errors;
    }
    for (const std::string good :
         {"delay: 1ns", "delay: 1s", "room: 10B", "room: 2KB", "offset: 5", "share: 0.25"})
    {
        ReadMachine("{" + good + ", engine: plain}");
        EXPECT_EQ(m_errors, "") << good;
    }
}

TEST_F(ComponentReaderTest, DescriptionReadsBackToItself)
{
    const Ptr<Machine> machine =
        ReadMachine("{delay: 0.3us, room: everything, offset: -1, share: 0.3, weights: [], "
                    "label: 'true', engine: {type: steam, preset: high, pressure: 7}}");
    ASSERT_EQ(m_errors, "");
    const auto described = DescribeComponent(*machine, Machine::GetTypeId());
    EXPECT_EQ(described["lights"], "automatic");
    const std::string json = described.dump();
    const Ptr<Machine> again = ReadMachine(json);
    EXPECT_EQ(m_errors, "") << json;
    EXPECT_EQ(DescribeComponent(*again, Machine::GetTypeId()).dump(), json);
    EXPECT_DOUBLE_EQ(DynamicCast<SteamEngine>(again->m_engine)->m_pressure, 7);
    const Ptr<Machine> lit = ReadMachine("{lights: true, engine: plain}");
    EXPECT_EQ(DescribeComponent(*lit, Machine::GetTypeId())["lights"], true);
}

} // namespace ns3::rails
