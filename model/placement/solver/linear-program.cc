// SPDX-License-Identifier: GPL-2.0-only
#include "linear-program.h"

#include <algorithm>
#include <cmath>
#include <lpsolve/lp_lib.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

uint32_t
LinearProgram::AddColumn(double cost, double least, double most)
{
    m_costs.push_back(cost);
    m_leastColumns.push_back(least);
    m_mostColumns.push_back(most);
    return static_cast<uint32_t>(m_costs.size() - 1);
}

void
LinearProgram::AddRow(double least, const std::vector<Term>& terms, double most)
{
    for (const Term& term : terms)
    {
        m_columns.push_back(static_cast<int32_t>(term.column));
        m_factors.push_back(term.factor);
    }
    m_starts.push_back(static_cast<int32_t>(m_columns.size()));
    m_leastRows.push_back(least);
    m_mostRows.push_back(most);
}

LinearSolution
LinearProgram::Minimise() const
{
    const auto rows = static_cast<int>(m_leastRows.size());
    const auto columns = static_cast<int>(m_costs.size());
    const std::unique_ptr<lprec, void (*)(lprec*)> program(make_lp(0, columns), delete_lp);
    lprec* const lp = program.get();
    const auto bound = [lp](double value) {
        return std::isinf(value) ? std::copysign(get_infinite(lp), value) : value;
    };
    set_verbose(lp, NEUTRAL);
    // lp_solve numbers from 1; row 0 is the objective.
    for (int column = 0; column < columns; ++column)
    {
        set_obj(lp, column + 1, m_costs[column]);
        set_bounds(lp, column + 1, bound(m_leastColumns[column]), bound(m_mostColumns[column]));
    }
    set_add_rowmode(lp, TRUE);
    for (int row = 0; row < rows; ++row)
    {
        std::vector<double> factors(m_factors.begin() + m_starts[row],
                                    m_factors.begin() + m_starts[row + 1]);
        std::vector<int> numbers(m_columns.begin() + m_starts[row],
                                 m_columns.begin() + m_starts[row + 1]);
        std::for_each(numbers.begin(), numbers.end(), [](int& number) { ++number; });
        const double least = m_leastRows[row];
        const double most = m_mostRows[row];
        const int type = least == most ? EQ : std::isinf(most) ? GE : LE;
        add_constraintex(lp,
                         static_cast<int>(numbers.size()),
                         factors.data(),
                         numbers.data(),
                         type,
                         bound(type == GE ? least : most));
    }
    set_add_rowmode(lp, FALSE);
    for (int row = 0; row < rows; ++row)
    {
        const double range = m_mostRows[row] - m_leastRows[row];
        if (range > 0 && !std::isinf(range))
        {
            set_rh_range(lp, row + 1, range);
        }
    }
    const int status = solve(lp);
    if (status != OPTIMAL && status != PRESOLVED)
    {
        throw std::runtime_error("a linear program has no optimum: lp_solve returned " +
                                 std::to_string(status));
    }
    LinearSolution solution;
    solution.cost = get_objective(lp);
    solution.columns.resize(m_costs.size());
    get_variables(lp, solution.columns.data());
    return solution;
}

} // namespace ns3::rails
