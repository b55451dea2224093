// SPDX-License-Identifier: GPL-2.0-only
#include "linear-program.h"

#include <algorithm>
#include <cmath>
#include <lpsolve/lp_lib.h>
#include <memory>
#include <stdexcept>
#include <string>

#ifdef RAILS_HIGHS
#include <interfaces/highs_c_api.h>
#endif

namespace ns3::rails
{

namespace
{

[[noreturn]] void
ThrowNoOptimum(const char* library, int status)
{
    throw std::runtime_error("a linear program has no optimum: " + std::string(library) +
                             " returned " + std::to_string(status));
}

} // namespace

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

bool
LinearProgram::Has(LinearSolver solver)
{
#ifdef RAILS_HIGHS
    return solver == LinearSolver::LpSolve || solver == LinearSolver::Highs;
#else
    return solver == LinearSolver::LpSolve;
#endif
}

LinearSolution
LinearProgram::Minimise(LinearSolver solver) const
{
    return solver == LinearSolver::Highs ? MinimiseByHighs() : MinimiseByLpSolve();
}

LinearSolution
LinearProgram::MinimiseByLpSolve() const
{
    const auto rows = static_cast<int>(m_leastRows.size());
    const auto columns = static_cast<int>(m_costs.size());
    const std::unique_ptr<lprec, void (*)(lprec*)> program(make_lp(0, columns), delete_lp);
    lprec* const lp = program.get();
    const auto bound = [lp](double value) {
        return std::isinf(value) ? std::copysign(get_infinite(lp), value) : value;
    };
    set_verbose(lp, NEUTRAL);
    // It numbers from 1, and what is at 0 is the objective.
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
        ThrowNoOptimum("lp_solve", status);
    }
    LinearSolution solution;
    solution.cost = get_objective(lp);
    solution.columns.resize(m_costs.size());
    get_variables(lp, solution.columns.data());
    return solution;
}

#ifdef RAILS_HIGHS

LinearSolution
LinearProgram::MinimiseByHighs() const
{
    const std::unique_ptr<void, void (*)(void*)> highs(Highs_create(), Highs_destroy);
    Highs_setBoolOptionValue(highs.get(), "output_flag", 0);
    Highs_setIntOptionValue(highs.get(), "threads", 1);
    const std::vector<HighsInt> starts(m_starts.begin(), m_starts.end());
    const std::vector<HighsInt> columns(m_columns.begin(), m_columns.end());
    Highs_passLp(highs.get(),
                 static_cast<HighsInt>(m_costs.size()),
                 static_cast<HighsInt>(m_leastRows.size()),
                 static_cast<HighsInt>(m_columns.size()),
                 kHighsMatrixFormatRowwise,
                 kHighsObjSenseMinimize,
                 0,
                 m_costs.data(),
                 m_leastColumns.data(),
                 m_mostColumns.data(),
                 m_leastRows.data(),
                 m_mostRows.data(),
                 starts.data(),
                 columns.data(),
                 m_factors.data());
    Highs_run(highs.get());
    const HighsInt status = Highs_getModelStatus(highs.get());
    if (status != kHighsModelStatusOptimal)
    {
        ThrowNoOptimum("HiGHS", static_cast<int>(status));
    }
    LinearSolution solution;
    solution.cost = Highs_getObjectiveValue(highs.get());
    solution.columns.resize(m_costs.size());
    Highs_getSolution(highs.get(), solution.columns.data(), nullptr, nullptr, nullptr);
    return solution;
}

#else

LinearSolution
LinearProgram::MinimiseByHighs() const
{
    throw std::invalid_argument("rails was built without HiGHS");
}

#endif

} // namespace ns3::rails
