// SPDX-License-Identifier: GPL-2.0-only
#include "data-parallelism.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DataParallelism);
NS_OBJECT_ENSURE_REGISTERED(DistributedOptimizer);
NS_OBJECT_ENSURE_REGISTERED(PlainDataParallelism);
NS_OBJECT_ENSURE_REGISTERED(FullyShardedDataParallelism);

namespace
{

/// Adds the bucket key, of types with whole gradients.
template <typename Owner>
TypeId
AddBucket(TypeId tid, ByteSize Owner::*bucket)
{
    return tid.AddAttribute("Bucket",
                            "Gradients of layers that are complete wait until they have so many "
                            "bytes together, and are reduced then; 0B: each layer's by themselves; "
                            "whole: when those of a chunk of layers are complete. (Megatron-LM, "
                            "--ddp-bucket-size, which counts elements.)",
                            ByteSizeValue(ByteSize(0)),
                            MakeByteSizeAccessor(bucket),
                            MakeByteRange(0, RangeTraits<ByteSizeValue>::kHighest, {"whole"}));
}

} // namespace

TypeId
DataParallelism::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::DataParallelism").SetParent<Object>(),
                         "What replicas of parameters exchange, and when.")
            .SetGroupName("Rails")
            .AddAttribute("Norm",
                          "The optimizer waits for the norm of all gradients: a small all-reduce "
                          "of all GPUs, 4 KB round a tree (our choice).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DataParallelism::m_hasNorm),
                          MakeBooleanChecker());
    return tid;
}

Replication
DataParallelism::GetBasis() const
{
    Replication basis;
    basis.hasNorm = m_hasNorm;
    return basis;
}

TypeId
DistributedOptimizer::GetTypeId()
{
    static TypeId tid =
        AddBucket(
            SetDocumentation(TypeId("ns3::rails::DistributedOptimizerDataParallelism")
                                 .SetParent<DataParallelism>(),
                             "Gradients are reduced and scattered, each replica updates its part, "
                             "and parameters are gathered. (ZeRO-1; Megatron-LM, "
                             "--use-distributed-optimizer.)")
                .SetGroupName("Rails")
                .AddConstructor<DistributedOptimizer>(),
            &DistributedOptimizer::m_bucket)
            .AddAttribute("OverlapParameters",
                          "Parameters are gathered layer by layer under the way forward of the "
                          "first micro-batch, which waits for those of each layer, in place of "
                          "behind the optimizer. (Megatron-LM, --overlap-param-gather.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DistributedOptimizer::m_overlapsParameters),
                          MakeBooleanChecker());
    return tid;
}

Replication
DistributedOptimizer::Get() const
{
    Replication what = GetBasis();
    what.bucket = m_bucket.Get();
    what.overlapsParameters = m_overlapsParameters;
    return what;
}

TypeId
PlainDataParallelism::GetTypeId()
{
    static TypeId tid = AddBucket(
        SetDocumentation(TypeId("ns3::rails::PlainDataParallelism").SetParent<DataParallelism>(),
                         "An all-reduce of gradients, and each replica updates all parameters.")
            .SetGroupName("Rails")
            .AddConstructor<PlainDataParallelism>(),
        &PlainDataParallelism::m_bucket);
    return tid;
}

Replication
PlainDataParallelism::Get() const
{
    Replication what = GetBasis();
    what.divided = Replication::Divided::Nothing;
    what.bucket = m_bucket.Get();
    return what;
}

TypeId
FullyShardedDataParallelism::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::FsdpDataParallelism").SetParent<DataParallelism>(),
            "Each replica has a part of parameters, gradients and optimizer. Parameters of a "
            "layer are gathered for the way forward and again for the way back, its gradients "
            "reduced and scattered behind it, with every micro-batch. (PyTorch FSDP, arXiv "
            "2304.11277; ZeRO-3.)")
            .SetGroupName("Rails")
            .AddConstructor<FullyShardedDataParallelism>()
            .AddAttribute("Prefetch",
                          "Layers whose parameters are gathered while one is computed. (PyTorch "
                          "FSDP: one.)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FullyShardedDataParallelism::m_prefetch),
                          MakeCountRange<uint32_t>(0, 10'000));
    return tid;
}

Replication
FullyShardedDataParallelism::Get() const
{
    Replication what = GetBasis();
    what.divided = Replication::Divided::All;
    what.prefetch = m_prefetch;
    return what;
}

} // namespace ns3::rails
