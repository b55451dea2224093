// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_ROUTER_H
#define EXPERT_ROUTER_H

#include "expert-groups.h"

#include "ns3/copy-hops.h"
#include "ns3/expert-budget.h"
#include "ns3/expert-copy.h"
#include "ns3/token-load.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Hops of copies on their way, and when pieces of them go.
struct CopyTraffic
{
    std::vector<CopyHop> hops; //!< sorted by the GPU that they leave, which is a place in the group
    double share{0};           //!< of the pieces that go in the first of two windows
};

/// Where the tokens of a group go in a layer of a micro-batch, and what is moved for that.
struct ExpertRouting
{
    std::vector<uint32_t> tokens;   //!< by source and destination, of those of a source together
    std::vector<uint64_t> received; //!< by destination: rows that experts compute
    std::vector<uint64_t> arrived;  //!< by destination: vectors of tokens
    /// Rows of each expert that a GPU has, by destination; where computing asks for shapes alone.
    std::vector<std::vector<uint32_t>> rows;
    // Of a training that de-duplicates: tokens that go there for any number of experts.
    std::vector<uint32_t> copies;       //!< by source and destination
    std::vector<uint32_t> serverCopies; //!< by source and server
    // Of a policy.
    CopyTraffic weights;
    CopyTraffic gradients;
    bool fetchesAgain{false}; //!< weights travel a second time, before the way back
    bool isPlanned{false};    //!< something was planned for it
    TimePs planning{0};       //!< how long that takes
};

/// What policies of experts did in the iterations that are run: means over plans, of which there is
/// one for each group, layer and micro-batch.
struct ExpertFigures
{
    uint64_t plans{0};
    double before{0};    //!< max/mean of loads of GPUs with every expert at home
    double after{0};     //!< the same as planned
    double worst{0};     //!< the largest of these
    double local{0};     //!< share of pairs of a token and an expert that stay on their GPU
    double skew{0};      //!< share of those between GPUs that is elsewhere than a common popularity
                         //!< of experts puts it, with every expert at home
    double dropped{0};   //!< share of the same that no expert computes
    double copies{0};    //!< experts that come to a GPU for one micro-batch
    double planningS{0}; //!< seconds of planning an iteration, of a group
    uint32_t lookBack{0}; //!< iterations that the policy has looked back over, at most

    /// What the GPU of a stage has at most, of all its layers.
    struct Held
    {
        uint64_t experts{0};    //!< for good
        uint64_t copies{0};     //!< at the same time
        uint64_t stateBytes{0}; //!< of the optimizer of its experts, see DivideStates()
        uint64_t hosts{0};      //!< GPUs that hold the same expert
        uint64_t ofLayer{0};    //!< experts for good, of a layer alone
    };

    std::vector<Held> held; //!< by stage; empty where no policy plans
    SlotFigures slots;      //!< of a GPU
};

/// Counts what arrives of a training that de-duplicates. \param gpus of the group
void SumArrivals(ExpertRouting& routing, uint32_t gpus);

/// Says where tokens go. Answers do not depend on who asks first.
class ExpertRouter
{
  public:
    ExpertRouter(const TrainingPlan& plan, const ExpertGroups& groups);
    virtual ~ExpertRouter() = default;

    ExpertRouter(const ExpertRouter&) = delete;
    ExpertRouter& operator=(const ExpertRouter&) = delete;

    /**
     * \param group number of a group that is planned together
     * \param place when, and in which layer; its group does not count
     */
    virtual std::shared_ptr<const ExpertRouting> Get(uint32_t group,
                                                     const LoadPlace& place) const = 0;

    /// \return what has been done, when all of it has been asked for
    virtual ExpertFigures GetFigures() const = 0;

    /// \return copies of experts of a layer in an iteration, by expert and GPU; none where the
    /// layer has no experts
    virtual std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const = 0;

  protected:
    const TrainingPlan& GetPlan() const;
    const ExpertGroups& GetGroups() const;

    /**
     * Draws what a part of a group, which is a group of expert parallelism, has to route.
     * \return tokens by source and expert
     */
    std::vector<uint32_t> Draw(uint32_t group, uint32_t part, LoadPlace place) const;

    /// \return where that is for the load: numbered within the stage
    LoadPlace Find(uint32_t group, uint32_t part, LoadPlace place) const;

  private:
    const TrainingPlan& m_plan;
    const ExpertGroups& m_groups;
};

/// Every token goes to the home of its expert: drawn when asked for, and drawn again where that has
/// been forgotten meanwhile.
class DrawnRouter : public ExpertRouter
{
  public:
    using ExpertRouter::ExpertRouter;

    std::shared_ptr<const ExpertRouting> Get(uint32_t group, const LoadPlace& place) const override;
    ExpertFigures GetFigures() const override;

    /// Draws all of it again, as nothing is kept.
    std::vector<ExpertCopy> ListCopies(uint32_t iteration, uint32_t layer) const override;

  private:
    std::shared_ptr<const ExpertRouting> Make(uint32_t group, const LoadPlace& place) const;
    void Count(uint32_t group, const LoadPlace& place, const ExpertRouting& routing) const;

    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    // What is drawn is kept as long as somebody may soon ask for it again.
    mutable std::map<Key, std::shared_ptr<const ExpertRouting>> m_known;
    mutable std::deque<Key> m_byAge;
    mutable Key m_latestKey; //!< of m_latest, which is asked for many times in a row
    mutable std::shared_ptr<const ExpertRouting> m_latest;
    mutable std::vector<bool> m_isCounted; //!< by iteration, layer, micro-batch and group
    mutable ExpertFigures m_sums;
};

} // namespace ns3::rails

#endif // EXPERT_ROUTER_H
