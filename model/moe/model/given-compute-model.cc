// SPDX-License-Identifier: GPL-2.0-only
#include "compute-model.h"

#include "ns3/component-documentation.h"
#include "ns3/nstime.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

/// `given`: measured times of each part
class GivenComputeModel : public ComputeModel
{
  public:
    static TypeId GetTypeId();

  private:
    double GetSeconds(const Work& work) const override;
    double GetForward(const Work& work) const;

    Time m_attention;
    Time m_gate;
    Time m_expertToken;
    Time m_shared;
    Time m_dense;
    Time m_head;
    Time m_optimizer;
};

NS_OBJECT_ENSURE_REGISTERED(GivenComputeModel);

TypeId
GivenComputeModel::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::GivenComputeModel").SetParent<ComputeModel>(),
            "Times that somebody has measured, of a micro-batch on a GPU on its way forward; "
            "the way back takes twice as long.")
            .SetGroupName("Rails")
            .AddConstructor<GivenComputeModel>()
            .AddAttribute("Attention",
                          "Attention of a layer.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GivenComputeModel::m_attention),
                          MakeTimeRange(0))
            .AddAttribute("Gate",
                          "Gate of a layer, and the permutation of tokens.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_gate),
                          MakeTimeRange(0))
            .AddAttribute("ExpertToken",
                          "A token at an expert; a GPU takes it for each of its own.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&GivenComputeModel::m_expertToken),
                          MakeTimeRange(0))
            .AddAttribute("Shared",
                          "Shared experts of a layer.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_shared),
                          MakeTimeRange(0))
            .AddAttribute("Dense",
                          "The feed-forward network of a layer without experts.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&GivenComputeModel::m_dense),
                          MakeTimeRange(0))
            .AddAttribute("Head",
                          "Logits and loss.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_head),
                          MakeTimeRange(0))
            .AddAttribute("Optimizer",
                          "The step of the optimizer.",
                          TimeValue(MicroSeconds(0)),
                          MakeTimeAccessor(&GivenComputeModel::m_optimizer),
                          MakeTimeRange(0));
    return tid;
}

double
GivenComputeModel::GetSeconds(const Work& work) const
{
    return GetForward(work) * work.times;
}

double
GivenComputeModel::GetForward(const Work& work) const
{
    switch (work.part)
    {
    case Work::Part::Attention:
        return m_attention.GetSeconds() * work.share;
    case Work::Part::Gate:
        return m_gate.GetSeconds();
    case Work::Part::Experts:
        return m_expertToken.GetSeconds() * work.tokens;
    case Work::Part::Shared:
        return m_shared.GetSeconds();
    case Work::Part::Dense:
        return m_dense.GetSeconds();
    case Work::Part::Head:
        return m_head.GetSeconds();
    case Work::Part::Optimizer:
        return m_optimizer.GetSeconds();
    }
    return 0;
}

} // namespace ns3::rails
