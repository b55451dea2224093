// SPDX-License-Identifier: GPL-2.0-only

// The program behind ./rails bench.

#include "rails-bench.h"

#include "ns3/nstime.h"
#include "ns3/rails-output-folder.h"
#include "ns3/rails-version.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

int
main(int argc, char** argv)
{
    std::string jsonFile;
    CLI::App app("Measures the speed of the simulator.", "rails bench");
    app.add_option("--json", jsonFile, "File for the figures")->type_name("FILE");
    const CLI::App* balancers =
        app.add_subcommand("planners", "Only how long a server takes to plan what it sends")
            ->fallthrough();
    try
    {
        app.parse(argc, argv);
        if (!jsonFile.empty())
        {
            // Before minutes of measuring.
            ns3::rails::CheckNamedFile(jsonFile,
                                       ns3::rails::RecogniseBegin("[\n  {\n    \"case\": "),
                                       "it holds no figures of `rails bench`, and is not replaced: "
                                       "name another file");
            ns3::rails::CheckFile(jsonFile);
        }
    }
    catch (const CLI::Success& success)
    {
        return app.exit(success);
    }
    catch (const CLI::Error& error)
    {
        std::cerr << "bench: error: " << error.what() << std::endl;
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
    ns3::rails::WarnOfSlowBuild();
    ns3::Time::SetResolution(ns3::Time::PS);
    return ns3::rails::RunBench(jsonFile, balancers->parsed());
}
