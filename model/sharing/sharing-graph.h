// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARING_GRAPH_H
#define SHARING_GRAPH_H

#include "member-lists.h"
#include "precise-sum.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Who shares what: resources, classes of flows that use and load them, which resource holds which
 * class back, and what all take. A resource has a level, the rate of the classes that it holds
 * back; so rates are known once for all of them, and what all that it holds back take of another
 * resource is one number, too. Sums are counted along with every change, and resources of which the
 * sums changed are remembered. It does not know which levels are fair: a sweep finds them.
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
        double told{0};    //!< its level at the last TakeChanges()
        PreciseSum load;
        MemberLists::List passing; //!< classes with another bottleneck, or none yet
        uint32_t held{0};          //!< number of classes of which this is the bottleneck
        uint32_t loads{0};         //!< classes with weight that load it
        uint32_t open{0};          //!< of those that pass it, how many have no rate yet
        uint32_t firstOpen{kNone}; //!< of the list of those
        uint32_t mark{0};          //!< the incidence that was written last
        bool touched{false};       //!< ForEachTouched() will call it
        bool noted{false};         //!< its level may be another than at the last TakeChanges()
        bool near{false};          //!< of the sweep: it will look at it
        bool loadMoved{false};     //!< CountLoads() will look at it
        bool loadFell{false};      //!< of its load more is counted than there is

        bool HasMembers() const
        {
            return held + passing.size > 0;
        }

        bool HasMovedLoad(double precision) const
        {
            return std::fabs(load.Get() - counted) > precision * capacity;
        }
    };

    /// How a resource is shared: apart, because that is looked at most, and a cache line.
    struct alignas(64) Share
    {
        double limit;       //!< what flows may take
        PreciseSum passing; //!< what those take that are held back elsewhere
        PreciseSum weight;  //!< what those take, per rate, that it holds back
        double open{0};     //!< what those take, per rate, that have no rate yet
        double level{0};    //!< rate of those that it holds back; 0 when there are none
        double fastest{0};  //!< none of those that pass is faster
    };

    struct FlowClass
    {
        double weight{0};
        uint32_t first{0}; //!< of its incidences: uses, then loads
        uint32_t uses{0};  //!< 0 when it was removed
        uint32_t loads{0};
        uint32_t room{0};           //!< incidences that are kept for it
        uint32_t bottleneck{kNone}; //!< incidence
        uint32_t holder{kNone};     //!< the resource of that
        bool open{false};           //!< it has weight, and no rate yet
        bool watched{false};        //!< it is named when its rate changes
        bool noted{false}; //!< it may be held back elsewhere than at the last TakeChanges()
        bool named{false}; //!< it is among those whose rates changed
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

    /// Removes a class without weight.
    void RemoveClass(uint32_t number);

    /**
     * Says how many flows a class holds. One that gets its first is open: it has no rate until
     * Stop(); one that has no more is no member of anything.
     */
    void SetWeight(uint32_t number, double weight);

    /// The class is named when its rate changes.
    void Watch(uint32_t number);

    /// \return the rate of one flow; 0 without weight, or as long as the class is open
    double GetRate(const FlowClass& flowClass) const
    {
        return flowClass.holder == kNone ? 0 : m_shares[flowClass.holder].level;
    }

    /// What the classes that a resource holds back take, or load, of another one.
    struct Taking
    {
        uint32_t resource;
        uint32_t classes;  //!< how many
        PreciseSum weight; //!< per rate
    };

    /**
     * The classes that a resource holds back have another rate.
     * \param onTaken called with each other resource that they use, once
     */
    template <typename Function>
    void SetLevel(uint32_t resource, double level, Function onTaken)
    {
        NoteLevel(resource);
        const double before = m_shares[resource].level;
        m_shares[resource].level = level;
        for (const Taking& taking : m_rows[resource].uses)
        {
            const double weight = taking.weight.Get();
            PreciseSum& passing = m_shares[taking.resource].passing;
            passing.Add(-(weight * before));
            passing.Add(weight * level);
            onTaken(taking.resource);
        }
        MoveLoads(resource, before);
    }

    /// A class that is open, or held back elsewhere, is held back by one of its uses from now on.
    void SetBottleneck(uint32_t number, uint32_t incidence);

    /// All classes with weight are open again, no resource has a level, and sums begin anew.
    void OpenAll();

    /// What became different.
    struct Changes
    {
        std::vector<uint32_t> levels;  //!< resources whose level changed
        std::vector<uint32_t> moved;   //!< classes with weight that are held back elsewhere
        std::vector<uint32_t> watched; //!< classes that are watched and whose rate changed
    };

    /// \return how many resources have got another level since TakeChanges(), or may have
    size_t CountNoted() const
    {
        return m_areApart ? m_resources.size() : m_noted.size();
    }

    /// From now on levels and bottlenecks may be set on several threads at once, each in parts that
    /// have nothing to do with those of others (SharingParts). Nothing else may be done meanwhile.
    void BeginApart();

    /// All is done on one thread again.
    void EndApart();

    /**
     * \param changes is set to those since the last call, each list ascending
     * Numbers of classes that were removed since may be used again from now on.
     */
    void TakeChanges(Changes& changes);

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

    /// \return whether a load moved by more than this part of the capacity, and is not counted
    bool HasMovedLoad(double precision) const;

    /// \return what flows may take of a resource beside the loads
    static double FindLimit(double capacity, double load);

    /// \return what all classes together take of a resource, their loads included
    double GetLoad(uint32_t resource) const
    {
        const Share& share = m_shares.at(resource);
        return share.passing.Get() + share.weight.Get() * share.level +
               m_resources[resource].load.Get();
    }

    Resource& GetResource(uint32_t number)
    {
        return m_resources[number];
    }

    const Resource& GetResource(uint32_t number) const
    {
        return m_resources[number];
    }

    Share& GetShare(uint32_t resource)
    {
        return m_shares[resource];
    }

    const Share& GetShare(uint32_t resource) const
    {
        return m_shares[resource];
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

    /// \return all classes, removed ones among them
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

    /// Calls a function with every class that passes a resource; open ones are among them.
    template <typename Function>
    void ForEachPassing(uint32_t resource, Function function) const
    {
        m_members.ForEach(m_resources[resource].passing, function);
    }

    /// Calls a function with every class that passes a resource and is open. It may set its
    /// bottleneck.
    template <typename Function>
    void ForEachOpen(uint32_t resource, Function function)
    {
        for (uint32_t at = m_resources[resource].firstOpen; at != kNone; at = m_open[at].next)
        {
            const Member member = m_open[at].member;
            if (m_classes[member.flowClass].open)
            {
                function(member);
            }
        }
    }

    /// Forgets the lists of open classes; there must be none.
    void ForgetOpen();

    /// \return true when classes may have got their first weight since ForgetOpen()
    bool MayBeOpen() const
    {
        return !m_open.empty();
    }

    /// \return resources whose sums changed since ForEachTouched()
    const std::vector<uint32_t>& GetTouched() const
    {
        return m_touched;
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
    /// A class that is open uses a resource.
    struct Open
    {
        Member member;
        uint32_t next;
    };

    /// A class was held back by that at the last TakeChanges().
    struct Held
    {
        uint32_t number;
        uint32_t holder;
    };

    /// What the classes that a resource holds back take of others, which is looked at together.
    struct Row
    {
        std::vector<Taking> uses;
        std::vector<Taking> loads;
        std::vector<uint32_t> watched; //!< of these classes
    };

    static void Take(std::vector<Taking>& takings,
                     uint32_t resource,
                     PreciseSum& sum,
                     double level,
                     double before,
                     double after);
    void TakeAll(uint32_t number, double before, double after);
    void NoteLoad(uint32_t resource);
    void MoveLoads(uint32_t resource, double before);
    void Release(uint32_t number);
    void CloseClass(FlowClass& flowClass);
    void Name(uint32_t number);
    void NoteLevel(uint32_t resource);
    void Enlist(uint32_t number);
    void Unlist(uint32_t number);
    void OpenClass(uint32_t number);
    void Note(uint32_t number);
    uint32_t TakeIncidences(uint32_t number);
    uint32_t WriteIncidences(const std::vector<Use>& uses, uint32_t first);
    void TakeOutOfPassing(const Incidence& use);
    void RenewLimit(uint32_t resource);
    void Touch(uint32_t resource);

    std::vector<Resource> m_resources;
    std::vector<Share> m_shares; //!< by resource
    std::vector<Row> m_rows;     //!< by resource
    std::vector<FlowClass> m_classes;
    std::vector<Incidence> m_incidences;
    MemberLists m_members;
    std::vector<uint32_t>
        m_unusedIncidences; //!< the first of a chain, by the number that a class has
    std::vector<uint32_t> m_unusedClasses;
    std::vector<Open> m_open;
    std::vector<uint32_t> m_mayOpen;   //!< resources with lists of those
    std::vector<uint32_t> m_noted;     //!< resources
    std::vector<Held> m_heldBefore;    //!< classes that are noted
    std::vector<uint32_t> m_named;     //!< classes
    std::vector<uint32_t> m_released;  //!< removed classes; their numbers are still in use
    std::vector<uint32_t> m_touched;   //!< resources
    std::vector<uint32_t> m_loadMoved; //!< resources
    bool m_areApart{false}; //!< lists of what is noted, named and moved are made in the end
};

} // namespace ns3::rails

#endif // SHARING_GRAPH_H
