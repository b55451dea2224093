// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARING_GRAPH_H
#define SHARING_GRAPH_H

#include "member-lists.h"
#include "precise-sum.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Who shares what: resources, classes of flows that use and load them, and what these take at the
 * rates that they have. Sums are counted along with every change, and resources of which the sums
 * changed are remembered. It does not know which rates are fair: a solver and its fillings set
 * them, and note with a resource or a class what they know of it.
 */
class SharingGraph
{
  public:
    using Member = MemberLists::Member;
    static constexpr uint32_t kNone = MemberLists::kNone;

    /// What one flow takes of a resource: a share of its rate.
    struct Use
    {
        uint32_t resource;
        double share;
    };

    struct Resource
    {
        double capacity;
        double counted{0}; //!< load that its limit allows for
        double held{0};    //!< of the solver: least rate of those whose bottleneck it is
        double fastest{0}; //!< of the solver: no class that uses it is faster
        PreciseSum load;
        MemberLists::List bottlenecked; //!< classes of which this is the bottleneck
        MemberLists::List passing;      //!< classes with another bottleneck, or none yet
        uint32_t loads{0};              //!< classes with weight that load it
        uint32_t freed{0};              //!< bottlenecked classes that are being set anew
        uint32_t mark{0};               //!< the incidence that was written last
        bool touched{false};            //!< ForEachTouched() will call it
        bool chosen{false};             //!< of the solver: the part that is filled next uses it
        bool loadMoved{false};          //!< CountLoads() will look at it
        bool loadFell{false};           //!< of its load more is counted than there is

        bool HasMembers() const
        {
            return bottlenecked.size + passing.size > 0;
        }
    };

    /// What a filling needs of a resource: apart, because that is looked at most, and a cache line.
    struct alignas(64) Filling
    {
        double limit;    //!< what flows may take
        PreciseSum used; //!< what those take whose rates are known

        // Of the filling.

        PreciseSum weight;     //!< what those take, per rate, whose rates are not known yet
        uint32_t open{0};      //!< number of those
        uint32_t first{kNone}; //!< of the list of classes being set anew that use it
        double level{-1};      //!< rate of those that found their bottleneck here, or negative
        double highest{-1}; //!< rate of the fastest class set anew; negative outside of the scope

        double GetLeft() const
        {
            return used.TakeFrom(limit);
        }
    };

    struct FlowClass
    {
        double weight{0};
        double rate{0};
        uint32_t first{0}; //!< of its incidences: uses, then loads
        uint32_t uses{0};  //!< 0 when it was removed
        uint32_t loads{0};
        uint32_t room{0};           //!< incidences that are kept for it
        uint32_t bottleneck{kNone}; //!< incidence
        bool free{false};           //!< of the solver: it is being set anew
        bool touched{false};        //!< of the solver: it was set anew since the last solve
        bool open{false};           //!< of the filling: its rate is still to be found
    };

    /// A class uses or loads a resource.
    struct Incidence
    {
        double share;
        uint32_t resource;
        uint32_t slot; //!< in the list of the resource
    };

    /// Incidences that follow each other.
    struct Incidences
    {
        const Incidence* first;
        const Incidence* last;

        const Incidence* begin() const
        {
            return first;
        }

        const Incidence* end() const
        {
            return last;
        }
    };

    /// \return the number of the resource
    uint32_t AddResource(double capacity);

    void SetCapacity(uint32_t resource, double capacity);

    /**
     * \param uses of resources that are there; those of the same resource are added up
     * \param loads likewise
     * \return the number of the class, which has no weight
     */
    uint32_t AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads);

    /// Removes a class without weight. Its number is kept until ReleaseNumber().
    void RemoveClass(uint32_t number);

    /// The number of a removed class may be used again.
    void ReleaseNumber(uint32_t number);

    /// A class is to have weight: it becomes a member of what it uses.
    void Enlist(uint32_t number);

    /// A class that is being set anew has no weight any more: it is no member from now on.
    void Unlist(uint32_t number);

    /// What a class takes and loads at its rate is counted with another weight.
    void SetWeight(uint32_t number, double weight);

    /// What a class loads is counted at its rate, instead of at the one that it had before.
    void MoveLoads(const FlowClass& flowClass, double before);

    /// A class that is being set anew found its bottleneck: one of its uses.
    void SetBottleneck(uint32_t number, uint32_t incidence);

    /// How much of the change of a load is counted; the next count takes up what is left.
    enum class Counting
    {
        Whole,
        Half,
        HalfOfRises //!< nothing of what fell
    };

    /**
     * Takes the loads as they are now off what flows may take.
     * \param precision a load that moved by no more than this part of the capacity is left as it
     * was counted before
     * \param counting how much of its change
     * \return whether a part of what moved is still to be counted
     */
    bool CountLoads(double precision, Counting counting);

    /// \return what flows may take of a resource beside the loads
    static double FindLimit(double capacity, double load);

    /// \return what all classes together take of a resource, their loads included
    double GetLoad(uint32_t resource) const
    {
        return m_fillings.at(resource).used.Get() + m_resources[resource].load.Get();
    }

    /// \return number of classes that have weight
    uint32_t GetActive() const
    {
        return m_active;
    }

    Resource& GetResource(uint32_t number)
    {
        return m_resources[number];
    }

    const Resource& GetResource(uint32_t number) const
    {
        return m_resources[number];
    }

    Filling& GetFilling(uint32_t resource)
    {
        return m_fillings[resource];
    }

    const Filling& GetFilling(uint32_t resource) const
    {
        return m_fillings[resource];
    }

    FlowClass& GetClass(uint32_t number)
    {
        return m_classes[number];
    }

    const FlowClass& GetClass(uint32_t number) const
    {
        return m_classes[number];
    }

    const Incidence& GetIncidence(uint32_t number) const
    {
        return m_incidences[number];
    }

    const std::vector<Resource>& GetResources() const
    {
        return m_resources;
    }

    /// \return by resource
    std::vector<Filling>& GetFillings()
    {
        return m_fillings;
    }

    /// \return all classes, removed ones among them
    std::vector<FlowClass>& GetClasses()
    {
        return m_classes;
    }

    const std::vector<FlowClass>& GetClasses() const
    {
        return m_classes;
    }

    /// \return number of uses and loads of all classes
    size_t CountIncidences() const
    {
        return m_incidences.size();
    }

    Incidences GetUses(const FlowClass& flowClass) const
    {
        const Incidence* first = m_incidences.data() + flowClass.first;
        return {first, first + flowClass.uses};
    }

    Incidences GetLoads(const FlowClass& flowClass) const
    {
        const Incidence* first = m_incidences.data() + flowClass.first + flowClass.uses;
        return {first, first + flowClass.loads};
    }

    /// Calls a function with every class whose bottleneck a resource is.
    template <typename Function>
    void ForEachBottlenecked(const Resource& resource, Function function) const
    {
        m_members.ForEach(resource.bottlenecked, function);
    }

    /// Calls a function with every class that uses a resource. It may set bottlenecks to it.
    template <typename Function>
    void ForEachMember(const Resource& resource, Function function) const
    {
        m_members.ForEach(resource.bottlenecked, function);
        m_members.ForEach(resource.passing, function);
    }

    /// \return whether the sums of a resource changed since ForEachTouched()
    bool IsTouched() const
    {
        return !m_touched.empty();
    }

    /// Calls a function with the number of each resource whose sums changed since the last time.
    template <typename Function>
    void ForEachTouched(Function function)
    {
        for (const uint32_t resource : m_touched)
        {
            m_resources[resource].touched = false;
            function(resource);
        }
        m_touched.clear();
    }

  private:
    uint32_t TakeIncidences(uint32_t number);
    uint32_t WriteIncidences(const std::vector<Use>& uses, uint32_t first);
    void TakeOutOf(MemberLists::List& list, uint32_t incidence);
    void RenewLimit(uint32_t resource);
    void Touch(uint32_t resource);
    void MoveLoad(const Incidence& load, double amount);

    std::vector<Resource> m_resources;
    std::vector<Filling> m_fillings; //!< by resource
    std::vector<FlowClass> m_classes;
    std::vector<Incidence> m_incidences;
    MemberLists m_members;
    std::vector<uint32_t>
        m_unusedIncidences; //!< the first of a chain, by the number that a class has
    std::vector<uint32_t> m_unusedClasses;
    uint32_t m_active{0};
    std::vector<uint32_t> m_touched;   //!< resources
    std::vector<uint32_t> m_loadMoved; //!< resources
};

} // namespace ns3::rails

#endif // SHARING_GRAPH_H
