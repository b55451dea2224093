// SPDX-License-Identifier: GPL-2.0-only
#include "bench-measuring.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rails
{

double
Median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

void
PrintFigures(const nlohmann::ordered_json& row)
{
    std::printf("%-16s %9.4f %12llu %12llu %9.4f %9.1f %7.5f %9.1f",
                row["case"].get<std::string>().c_str(),
                row["wall_s"].get<double>(),
                row["frame_hops"].get<unsigned long long>(),
                row["events"].get<unsigned long long>(),
                row["ns_per_hop"].get<double>(),
                row["ns_per_empty_event"].get<double>(),
                row["ratio"].get<double>(),
                row["peak_rss_bytes"].get<double>() / (1 << 20));
}

bool
PrintFailure(const std::string& name)
{
    std::cerr << "rails: error: case " << name << " failed\n";
    return false;
}

} // namespace ns3::rails
