// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAX_MIN_SYSTEM_H
#define MAX_MIN_SYSTEM_H

#include "member-lists.h"
#include "precise-sum.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The state of a max-min problem: constraints (links, hosts), variables (classes of equal flows),
 * elements (which variable uses or loads which constraint, and with what share), and the bottleneck
 * of each variable. All variables with the same bottleneck have the same rate, the fair share of
 * that constraint. So the system keeps one rate per constraint, and one sum for the use of another
 * constraint by all these variables. Each change updates the sums and marks their constraints as
 * touched. IncrementalWaterFilling finds the fair shares.
 */
class MaxMinSystem
{
  public:
    using Member = MemberLists::Member;
    static constexpr uint32_t kNone = MemberLists::kNone;

    /// Use of a constraint by one flow: a share of its rate.
    struct Use
    {
        uint32_t constraint;
        double share;
    };

    struct Constraint
    {
        double capacity;
        double counted{0};  //!< load subtracted in its limit
        double reported{0}; //!< its fair share at the last TakeChanges()
        PreciseSum load;
        MemberLists::List passing;     //!< variables with another bottleneck, or none yet
        uint32_t bottlenecked{0};      //!< number of variables of which this is the bottleneck
        uint32_t loads{0};             //!< variables with weight that load it
        uint32_t unfrozen{0};          //!< variables in `passing` that have no rate yet
        uint32_t firstUnfrozen{kNone}; //!< head of the list of unfrozen variables
        uint32_t mark{0};              //!< the element that was written last
        bool isTouched{false};         //!< ForEachTouched() will call it
        bool isChanged{false}; //!< its fair share may differ from that at the last TakeChanges()
        bool isNear{false};    //!< IncrementalWaterFilling will examine it
        bool loadMoved{false}; //!< CountLoads() will examine it
        bool loadFell{false};  //!< `counted` is above the load

        bool HasMembers() const
        {
            return bottlenecked + passing.size > 0;
        }

        bool HasMovedLoad(double precision) const
        {
            return std::fabs(load.Get() - counted) > precision * capacity;
        }
    };

    /// Most used data of a constraint, in one cache line.
    struct alignas(64) ConstraintState
    {
        double limit;        //!< capacity for flows, without loads
        PreciseSum passing;  //!< sum of shares times rates of variables bottlenecked elsewhere
        PreciseSum weight;   //!< sum of weights times shares of variables bottlenecked here
        double unfrozen{0};  //!< sum of weights times shares of variables without a rate
        double fairShare{0}; //!< rate of variables bottlenecked here; 0 without such variables
        double fastest{0};   //!< upper bound of the rates in `passing`
    };

    struct Variable
    {
        double weight{0};
        uint32_t first{0}; //!< of its elements: uses, then loads
        uint32_t uses{0};  //!< 0 when it was removed
        uint32_t loads{0};
        uint32_t room{0};                  //!< capacity of its block of elements
        uint32_t bottleneckElement{kNone}; //!< element
        uint32_t bottleneck{kNone};        //!< constraint of that element
        bool unfrozen{false};              //!< it has a weight, and no rate yet
        bool isWatched{false};             //!< Changes::watched lists it when its rate changes
        bool isChanged{false}; //!< its bottleneck may differ from that at the last TakeChanges()
        bool isRateChanged{false}; //!< m_rateChanged contains it
    };

    /// A variable uses or loads a constraint.
    struct Element
    {
        double share;
        uint32_t constraint;
        uint32_t slot; //!< in the list of the constraint
    };

    /// Consecutive elements.
    struct Elements
    {
        const Element* first;
        const Element* last;

        const Element* begin() const
        {
            return first;
        }

        const Element* end() const
        {
            return last;
        }
    };

    /// \return the number of the constraint
    uint32_t AddConstraint(double capacity);

    void SetCapacity(uint32_t constraint, double capacity);

    /**
     * \param uses of existing constraints; uses of the same constraint are added up
     * \param loads of existing constraints; loads of the same constraint are added up
     * \return the number of the variable, which has no weight
     */
    uint32_t AddVariable(const std::vector<Use>& uses, const std::vector<Use>& loads);

    /// Removes a variable without weight.
    void RemoveVariable(uint32_t number);

    /**
     * Sets how many flows a variable stands for. A variable that gets its first flow is unfrozen:
     * it has no rate until SetBottleneck().
     */
    void SetWeight(uint32_t number, double weight);

    /// Changes::watched will list the variable when its rate changes.
    void Watch(uint32_t number);

    /// \return the rate of one flow; 0 without weight, or as long as the variable is unfrozen
    double GetRate(const Variable& variable) const
    {
        return variable.bottleneck == kNone ? 0 : m_states[variable.bottleneck].fairShare;
    }

    /// Use or load of a constraint by the variables bottlenecked at another one.
    struct Usage
    {
        uint32_t constraint;
        uint32_t variables; //!< number of these variables
        PreciseSum weight;  //!< sum of weights times shares
    };

    /**
     * Changes the rate of all variables bottlenecked at a constraint.
     * \param onUsage called once with each other constraint that these variables use
     */
    template <typename Function>
    void SetFairShare(uint32_t constraint, double fairShare, Function onUsage)
    {
        MarkFairShare(constraint);
        const double before = m_states[constraint].fairShare;
        m_states[constraint].fairShare = fairShare;
        for (const Usage& usage : m_rows[constraint].uses)
        {
            const double weight = usage.weight.Get();
            PreciseSum& passing = m_states[usage.constraint].passing;
            passing.Add(-(weight * before));
            passing.Add(weight * fairShare);
            onUsage(usage.constraint);
        }
        MoveLoads(constraint, before);
    }

    /// Makes one of its uses the bottleneck of a variable, which is unfrozen or has another
    /// bottleneck.
    void SetBottleneck(uint32_t number, uint32_t element);

    /// Unfreezes all variables with weight: no constraint has a fair share any more, and all sums
    /// restart.
    void UnfreezeAll();

    /// Differences since the last TakeChanges().
    struct Changes
    {
        std::vector<uint32_t> fairShares; //!< constraints whose fair share changed
        std::vector<uint32_t> moved;      //!< variables with weight whose bottleneck changed
        std::vector<uint32_t> watched;    //!< watched variables whose rate changed
    };

    /// \return number of constraints whose fair share may have changed since TakeChanges()
    size_t CountChanged() const
    {
        return m_changed.size();
    }

    /**
     * \param changes set to the differences since the last call, each list ascending
     * Releases the numbers of removed variables for reuse.
     */
    void TakeChanges(Changes& changes);

    /// How much of the change of a load CountLoads() counts; the next call counts the rest.
    enum class Counting
    {
        Whole,
        Half,
        HalfOfRises //!< no part of a decrease
    };

    /**
     * Subtracts the present loads from the capacity that flows may take.
     * \param precision a load that changed by at most this part of the capacity stays as counted
     * \param counting how much of each change to count
     * \return whether a part of a change is still to be counted
     */
    bool CountLoads(double precision, Counting counting);

    /// \return whether a load changed by more than this part of the capacity and is not yet counted
    bool HasMovedLoad(double precision) const;

    /// \return capacity for flows under a load
    static double FindLimit(double capacity, double load);

    /// \return sum over all variables of their use of a constraint, including loads
    double GetLoad(uint32_t constraint) const
    {
        const ConstraintState& share = m_states.at(constraint);
        return share.passing.Get() + share.weight.Get() * share.fairShare +
               m_constraints[constraint].load.Get();
    }

    Constraint& GetConstraint(uint32_t number)
    {
        return m_constraints[number];
    }

    const Constraint& GetConstraint(uint32_t number) const
    {
        return m_constraints[number];
    }

    ConstraintState& GetState(uint32_t constraint)
    {
        return m_states[constraint];
    }

    const ConstraintState& GetState(uint32_t constraint) const
    {
        return m_states[constraint];
    }

    const Variable& GetVariable(uint32_t number) const
    {
        return m_variables[number];
    }

    const Element& GetElement(uint32_t number) const
    {
        return m_elements[number];
    }

    const std::vector<Constraint>& GetConstraints() const
    {
        return m_constraints;
    }

    /// \return all variables, including removed ones
    const std::vector<Variable>& GetVariables() const
    {
        return m_variables;
    }

    /// \return number of uses and loads of all variables
    size_t CountElements() const
    {
        return m_elements.size();
    }

    Elements GetUses(const Variable& variable) const
    {
        const Element* first = m_elements.data() + variable.first;
        return {first, first + variable.uses};
    }

    Elements GetLoads(const Variable& variable) const
    {
        const Element* first = m_elements.data() + variable.first + variable.uses;
        return {first, first + variable.loads};
    }

    /// Calls a function with every variable that passes a constraint; unfrozen ones are among them.
    template <typename Function>
    void ForEachPassing(uint32_t constraint, Function function) const
    {
        m_members.ForEach(m_constraints[constraint].passing, function);
    }

    /// Calls a function with every variable that passes a constraint and is unfrozen. It may set
    /// its bottleneck.
    template <typename Function>
    void ForEachUnfrozen(uint32_t constraint, Function function)
    {
        for (uint32_t at = m_constraints[constraint].firstUnfrozen; at != kNone;
             at = m_unfrozen[at].next)
        {
            const Member member = m_unfrozen[at].member;
            if (m_variables[member.variable].unfrozen)
            {
                function(member);
            }
        }
    }

    /// Clears the lists of unfrozen variables, when no variable is unfrozen any more.
    void ForgetUnfrozen();

    /// \return whether a variable may have become unfrozen since ForgetUnfrozen()
    bool MayHaveUnfrozen() const
    {
        return !m_unfrozen.empty();
    }

    /// \return constraints whose sums changed since ForEachTouched()
    const std::vector<uint32_t>& GetTouched() const
    {
        return m_touched;
    }

    /// Calls a function with the number of each constraint whose sums changed since the last time.
    template <typename Function>
    void ForEachTouched(Function function)
    {
        for (const uint32_t constraint : m_touched)
        {
            m_constraints[constraint].isTouched = false;
            function(constraint);
        }
        m_touched.clear();
    }

  private:
    /// A use of a constraint by an unfrozen variable.
    struct Unfrozen
    {
        Member member;
        uint32_t next;
    };

    /// The bottleneck of a variable at the last TakeChanges().
    struct Former
    {
        uint32_t number;
        uint32_t bottleneck;
    };

    /// Uses and loads of all other constraints by the variables bottlenecked at one constraint.
    struct Row
    {
        std::vector<Usage> uses;
        std::vector<Usage> loads;
        std::vector<uint32_t> watched; //!< watched variables among them
    };

    static void ChangeUsage(std::vector<Usage>& usages,
                            uint32_t constraint,
                            PreciseSum& sum,
                            double fairShare,
                            double before,
                            double after);
    void ChangeUsages(uint32_t number, double before, double after);
    void MarkLoad(uint32_t constraint);
    void MoveLoads(uint32_t constraint, double before);
    void Release(uint32_t number);
    void Freeze(Variable& variable);
    void MarkRate(uint32_t number);
    void MarkFairShare(uint32_t constraint);
    void AddToPassing(uint32_t number);
    void RemoveFromPassing(uint32_t number);
    void Unfreeze(uint32_t number);
    void KeepFormer(uint32_t number);
    uint32_t TakeElements(uint32_t number);
    uint32_t WriteElements(const std::vector<Use>& uses, uint32_t first);
    void RemoveFromPassingOf(const Element& use);
    void RenewLimit(uint32_t constraint);
    void Touch(uint32_t constraint);

    std::vector<Constraint> m_constraints;
    std::vector<ConstraintState> m_states; //!< by constraint
    std::vector<Row> m_rows;               //!< by constraint
    std::vector<Variable> m_variables;
    std::vector<Element> m_elements;
    MemberLists m_members;
    std::vector<uint32_t> m_unusedElements; //!< first of a chain of free blocks, by block size
    std::vector<uint32_t> m_unusedVariables;
    std::vector<Unfrozen> m_unfrozen;
    std::vector<uint32_t> m_withUnfrozen; //!< constraints with unfrozen variables
    std::vector<uint32_t> m_changed;      //!< constraints
    std::vector<Former> m_former;         //!< variables whose bottleneck may differ
    std::vector<uint32_t> m_rateChanged;  //!< variables
    std::vector<uint32_t> m_released;     //!< removed variables; their numbers are still in use
    std::vector<uint32_t> m_touched;      //!< constraints
    std::vector<uint32_t> m_loadMoved;    //!< constraints
};

} // namespace ns3::rails

#endif // MAX_MIN_SYSTEM_H
