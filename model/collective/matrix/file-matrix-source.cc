// SPDX-License-Identifier: GPL-2.0-only
#include "matrix-source.h"

#include "ns3/component-documentation.h"
#include "ns3/csv-file.h"
#include "ns3/file-memory.h"
#include "ns3/string.h"

#include <string>

namespace ns3::rails
{

/**
 * A matrix given number by number: `matrix: {type: file}`. The file is a plain CSV square of bytes
 * without a header: a row per source GPU, a column per destination GPU. The diagonal is ignored.
 * With groups of GPUs it is the matrix of every group.
 */
class FileMatrixSource : public MatrixSource
{
  public:
    static TypeId GetTypeId();

    void Check(const GpuPartition& groups) const override;
    TrafficMatrix Generate(const GpuPartition& groups) override;
    double EstimateBytes(const GpuPartition& groups) const override;

  private:
    /// \return bytes of all pairs of different GPUs of a group; throws as Check() does
    uint64_t FindBytes(const GpuPartition& groups) const;
    /// \return the matrix of a group, with its members as servers of one GPU
    TrafficMatrix Read(const GpuPartition& groups) const;

    std::string m_path;
};

NS_OBJECT_ENSURE_REGISTERED(FileMatrixSource);

TypeId
FileMatrixSource::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FileMatrixSource").SetParent<MatrixSource>(),
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
FileMatrixSource::Check(const GpuPartition& groups) const
{
    FindBytes(groups);
}

TrafficMatrix
FileMatrixSource::Generate(const GpuPartition& groups)
{
    return Repeat(Read(groups), groups);
}

double
FileMatrixSource::EstimateBytes(const GpuPartition& groups) const
{
    return static_cast<double>(FindBytes(groups)) * groups.GetCount();
}

uint64_t
FileMatrixSource::FindBytes(const GpuPartition& groups) const
{
    static FileMemory<uint64_t> totals;
    return totals.Get(m_path, {groups.GetSize()}, [&] { return Read(groups).GetTotalBytes(); });
}

TrafficMatrix
FileMatrixSource::Read(const GpuPartition& groups) const
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
