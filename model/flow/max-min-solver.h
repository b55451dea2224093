// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAX_MIN_SOLVER_H
#define MAX_MIN_SOLVER_H

#include "level-heap.h"
#include "member-lists.h"
#include "precise-sum.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Max-min fair rates of flows that share resources (Bertsekas and Gallager, "Data Networks",
 * section 6.5.2). The rates of all flows rise together; when a resource is full, the flows that use
 * it stop there. Flows with the same resources are one class with a weight. A class of weight w
 * whose flows have the rate x takes w * share * x of each resource that it uses.
 *
 * The rates are these and no others exactly if no resource has to give more than its capacity and
 * each flow has a bottleneck: a resource that it uses, that is full, and on which no flow is
 * faster. After a change only the classes around it are set anew: those that changed, and those
 * whose bottleneck changed. All others stay as they are, and take what they take. Then the
 * certificate is looked at where something became different; the classes for which it does not hold
 * are set anew, too, until it holds. When most classes are set anew, all are.
 *
 * Loads (acknowledgements, which have priority) are taken off the capacity before the flows share
 * it. They depend on the rates in turn: rates and loads are found one after the other until no load
 * moves any more, which needs loads that are small beside the capacities.
 *
 * The same calls in the same order give the same bits with any compiler and processor.
 */
class MaxMinSolver
{
  public:
    /// What one flow takes of a resource: a share of its rate.
    struct Use
    {
        uint32_t resource;
        double share;
    };

    /// What it took to solve.
    struct Statistics
    {
        uint64_t solves{0};
        uint64_t rounds{0};         //!< progressive fillings
        uint64_t touchedClasses{0}; //!< classes whose rates were found anew, summed over the solves
        uint64_t grownClasses{0};   //!< times that a class had to follow because of the certificate
    };

    /**
     * \param capacity in any unit, the same for all resources
     * \return the number of the resource, from 0 on
     * \throw std::logic_error when the capacity is negative or not finite
     */
    uint32_t AddResource(double capacity);

    /// \throw std::logic_error as AddResource() does
    void SetCapacity(uint32_t resource, double capacity);

    /**
     * A class of flows with the same resources; of weight 0, so without a flow, at first.
     * \param uses hold its flows back; those of the same resource are added up
     * \param loads are taken ahead of all flows: they lower what a resource has for the flows that
     *     use it (to 1 % of its capacity at least), but do not hold back the class that causes them
     * \return the number of the class; numbers of removed classes are used again
     * \throw std::logic_error when there are no uses, or a share is not a positive finite number
     */
    uint32_t AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads);

    /**
     * Says how many flows of weight 1 a class holds together.
     * \throw std::logic_error when the weight is negative or not finite
     */
    void SetWeight(uint32_t flowClass, double weight);

    /// \throw std::logic_error unless the weight is 0
    void RemoveClass(uint32_t flowClass);

    /**
     * Finds the rates after all changes since the last call.
     * \return the classes whose rate of one flow changed, ascending; valid until the next call
     */
    const std::vector<uint32_t>& Solve();

    /**
     * \return rate of one flow of weight 1 since the last Solve(); 0 when the class had no weight
     * then or one of its resources no capacity
     */
    double GetRate(uint32_t flowClass) const;

    double GetWeight(uint32_t flowClass) const;

    double GetCapacity(uint32_t resource) const;

    /// \return what all classes together take of a resource, their loads included
    double GetLoad(uint32_t resource) const;

    /**
     * Says how exact loads are.
     * \param relative a load that moved by less than this part of its resource's capacity is left
     * as it was counted before; errors do not add up
     */
    void SetLoadPrecision(double relative);

    /**
     * Says how exact rates are beside a change. A class stays as it is while its resources give at
     * most this part more than they have, and while it would gain or lose at most this part, or is
     * slower than others at its bottleneck by at most this part. So a change spreads only as far as
     * it matters. Classes that are set anew get what the others leave; errors do not add up.
     *
     * \param relative 0, at first, for rates that are as exact as numbers allow
     */
    void SetRatePrecision(double relative);

    /**
     * Looks at everything anew: whether no resource gives more than it has, and each flow has a
     * bottleneck.
     * \return a sentence about what does not hold; empty when all is well
     */
    std::string FindViolation() const;

    const Statistics& GetStatistics() const;

  private:
    using Member = MemberLists::Member;
    static constexpr uint32_t kNone = MemberLists::kNone;

    /// The least precision of rates that can be asked for.
    static constexpr double kRates = 1e-11;

    struct Resource
    {
        double capacity;
        double counted{0}; //!< load that its limit allows for
        double held{0};    //!< least rate of those whose bottleneck it is
        double fastest{0}; //!< no class that uses it is faster
        PreciseSum load;
        MemberLists::List bottlenecked; //!< classes of which this is the bottleneck
        MemberLists::List passing;      //!< classes with another bottleneck, or none yet
        uint32_t loads{0};              //!< classes with weight that load it
        uint32_t freed{0};              //!< bottlenecked classes that are being set anew
        uint32_t mark{0};               //!< the incidence that was written last
        bool touched{false};
        bool chosen{false};
        bool loadMoved{false};
    };

    /// What a filling needs of a resource: apart, because that is looked at most, and a cache line.
    struct alignas(64) Filling
    {
        double limit;          //!< what flows may take
        PreciseSum used;       //!< what those take whose rates are known
        PreciseSum weight;     //!< what those take, per rate, whose rates are not known yet
        uint32_t open{0};      //!< number of those
        uint32_t first{kNone}; //!< of the list of classes being set anew that use it
        double level{-1};      //!< rate of those that found their bottleneck here, or negative
        double highest{-1}; //!< rate of the fastest class set anew; negative outside of the scope
    };

    struct FlowClass
    {
        double weight{0};
        double rate{0};
        uint32_t first{0}; //!< of its incidences: uses, then loads
        uint32_t uses{0};
        uint32_t loads{0};
        uint32_t room{0};           //!< incidences that are kept for it
        uint32_t bottleneck{kNone}; //!< incidence
        bool free{false};           //!< it is being set anew
        bool open{false};           //!< its rate is still to be found in this filling
        bool touched{false};        //!< it was set anew since the last Solve()
    };

    /// A class uses or loads a resource.
    struct Incidence
    {
        double share;
        uint32_t resource;
        uint32_t slot; //!< in the list of the resource
    };

    /// A class that is being set anew uses a resource.
    struct Candidate
    {
        Member member;
        uint32_t next;
    };

    uint32_t TakeIncidences(uint32_t number);
    uint32_t WriteIncidences(const std::vector<Use>& uses, uint32_t first);
    void Enlist(uint32_t number);
    void Unlist(uint32_t number);
    void TakeOutOf(MemberLists::List& list, uint32_t incidence);
    void SetBottleneck(uint32_t number, uint32_t incidence);
    void CountAnew(uint32_t number, double weight);

    void RenewLimit(uint32_t resource);
    void Touch(uint32_t resource);
    void MoveLoad(const Incidence& load, double amount);
    void EnterScope(uint32_t resource);
    bool Free(uint32_t number);
    void MarkFree(uint32_t number);
    void FreeAll();

    void CountLoads();
    void Settle();
    void ChoosePart(size_t known);
    void OpenPart();
    void OpenAll();
    void RaiseLevels();
    void StopAt(uint32_t resource, double level);
    void StopClass(const Member& member, double level);
    bool PaysToSetAllAnew(uint64_t work) const;
    uint64_t Grow();
    bool Matters(uint32_t number, double left) const;
    bool AllAreCandidates(uint32_t resource) const;
    uint64_t FreeBottlenecked(uint32_t resource);
    uint64_t FreeFaster(uint32_t resource);
    double FindLocalLevel(uint32_t resource);
    void Commit();
    void ReportChanges();

    template <typename Function>
    void ForEachMember(const Resource& resource, Function function) const
    {
        m_members.ForEach(resource.bottlenecked, function);
        m_members.ForEach(resource.passing, function);
    }

    std::string FindOverload(const std::vector<double>& used,
                             const std::vector<double>& loaded) const;
    std::string FindUnfair(const std::vector<double>& used) const;

    std::vector<Resource> m_resources;
    std::vector<Filling> m_fillings; //!< by resource
    std::vector<FlowClass> m_classes;
    std::vector<Incidence> m_incidences;
    MemberLists m_members;
    std::vector<uint32_t>
        m_unusedIncidences; //!< the first of a chain, by the number that a class has
    std::vector<uint32_t> m_unusedClasses;
    std::vector<uint32_t> m_removedClasses; //!< unused after the next Solve()
    uint32_t m_active{0};                   //!< classes with weight
    double m_loadPrecision{1e-11};
    double m_precision{kRates}; //!< what does not matter, as a part

    std::vector<uint32_t> m_touched;   //!< resources: the certificate is in doubt there
    std::vector<uint32_t> m_loadMoved; //!< resources
    std::vector<uint32_t> m_scope;     //!< resources of the classes that are being set anew
    std::vector<uint32_t> m_free;      //!< classes that are being set anew
    std::vector<double> m_freeRates;   //!< their rates before
    std::vector<uint32_t> m_part;      //!< of the free classes: those that are filled together
    std::vector<uint32_t> m_partScope; //!< resources of these
    std::vector<Candidate> m_candidates;
    LevelHeap m_levels;
    std::vector<uint32_t> m_touchedClasses; //!< since the last Solve()
    std::vector<double> m_before;           //!< their rates at the last Solve()
    std::vector<uint32_t> m_changed;
    Statistics m_statistics;
};

} // namespace ns3::rails

#endif // MAX_MIN_SOLVER_H
