// SPDX-License-Identifier: GPL-2.0-only
#include "file-matrix-source.h"

#include "ns3/csv-file.h"
#include "ns3/file-memory.h"
#include "ns3/rails-about.h"
#include "ns3/string.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FileMatrixSource);

TypeId
FileMatrixSource::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::FileMatrixSource").SetParent<MatrixSource>(),
                                 "A matrix given number by number in a file.")
                            .SetGroupName("Rails")
                            .AddConstructor<FileMatrixSource>()
                            .AddAttribute("Path",
                                          "CSV square of bytes: a row per source GPU, a column per "
                                          "destination GPU, no header; of one group, where there "
                                          "are groups, and every group gets it.",
                                          StringValue(""),
                                          MakeStringAccessor(&FileMatrixSource::m_path),
                                          MakeStringChecker());
    return tid;
}

void
FileMatrixSource::Check(const GpuGroups& groups) const
{
    FindBytes(groups);
}

TrafficMatrix
FileMatrixSource::Generate(const GpuGroups& groups)
{
    return Repeat(Read(groups), groups);
}

double
FileMatrixSource::EstimateBytes(const GpuGroups& groups) const
{
    return static_cast<double>(FindBytes(groups)) * groups.GetCount();
}

uint64_t
FileMatrixSource::FindBytes(const GpuGroups& groups) const
{
    static FileMemory<uint64_t> totals;
    return totals.Get(m_path, {groups.GetSize()}, [&] { return Read(groups).GetTotalBytes(); });
}

TrafficMatrix
FileMatrixSource::Read(const GpuGroups& groups) const
{
    const uint32_t gpus = groups.GetSize();
    const std::string expected = "expected a row and a column for each of the " +
                                 std::to_string(gpus) + " GPUs of " + groups.GetOwner() +
                                 ", found ";
    CsvFile file(m_path);
    TrafficMatrix matrix({gpus, 1});
    uint32_t source = 0;
    for (; file.NextRow(); ++source)
    {
        if (source == gpus)
        {
            file.FailRow(expected + "a row more");
        }
        if (file.GetColumns() != gpus)
        {
            file.FailRow(expected + std::to_string(file.GetColumns()) + " columns");
        }
        for (uint32_t destination = 0; destination < gpus; ++destination)
        {
            matrix.Add(source, destination, file.GetNumber(destination, kLargestPairBytes));
        }
    }
    if (source < gpus)
    {
        file.FailFile(expected + std::to_string(source) + " rows");
    }
    return matrix;
}

} // namespace ns3::rails
