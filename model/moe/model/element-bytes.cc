// SPDX-License-Identifier: GPL-2.0-only
#include "element-bytes.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/range-checker.h"

#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(TrainingBytes);

namespace
{

/// An FP8 element, with its share of an FP32 scale per 128 elements.
constexpr double kFp8BlockBytes = 1 + 4.0 / 128;

} // namespace

TypeId
TrainingBytes::GetTypeId()
{
    static const auto range = MakeNumberRange(0.01, 16);
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::TrainingBytes").SetParent<Object>(),
                         "Bytes of an element of what is sent, by kind, scales included.")
            .SetGroupName("Rails")
            .AddConstructor<TrainingBytes>()
            .AddAttribute("Dispatch",
                          "Of what goes to experts: tokens, and gradients on the way back. By "
                          "default 1.03125 with precision: fp8-block (FP8, and a scale in FP32 "
                          "for 128 elements; DeepSeek-V3, arXiv 2412.19437, section 3.3), "
                          "otherwise bytes_per_element (also with mxfp8: Megatron-LM, d98e8a64, "
                          "fused_a2a.py).",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_dispatch),
                          range)
            .AddAttribute("Combine",
                          "Of what comes back from experts. By default bytes_per_element. (BF16, "
                          "forward and back; DeepSeek-V3, section 3.3.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_combine),
                          range)
            .AddAttribute("Tensor",
                          "Of what tensor-parallel GPUs gather and scatter. By default "
                          "bytes_per_element.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_tensor),
                          range)
            .AddAttribute("Pipeline",
                          "Of what goes from stage to stage. By default bytes_per_element.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_pipeline),
                          range)
            .AddAttribute("Context",
                          "Of keys and values of other parts of a sequence. By default "
                          "bytes_per_element.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_context),
                          range)
            .AddAttribute("Gradients",
                          "Of gradients of parameters, to replicas. By default "
                          "bytes_per_gradient.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_gradients),
                          range)
            .AddAttribute("Parameters",
                          "Of parameters that replicas gather, and of copies of experts. By "
                          "default bytes_per_element, in every precision. (Megatron-Bridge, "
                          "067f987: its recipe of FP8 in blocks gathers BF16, and that of MXFP8 "
                          "casts behind the gathering.)",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DoubleValue>(&TrainingBytes::m_parameters),
                          range);
    return tid;
}

ElementBytes
TrainingBytes::Get(Precision precision, double element, double gradient) const
{
    ElementBytes bytes;
    bytes.dispatch = m_dispatch.value_or(precision == FP8_BLOCK ? kFp8BlockBytes : element);
    bytes.combine = m_combine.value_or(element);
    bytes.tensor = m_tensor.value_or(element);
    bytes.pipeline = m_pipeline.value_or(element);
    bytes.context = m_context.value_or(element);
    bytes.gradients = m_gradients.value_or(gradient);
    bytes.parameters = m_parameters.value_or(element);
    return bytes;
}

} // namespace ns3::rails
