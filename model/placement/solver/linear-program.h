// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINEAR_PROGRAM_H
#define LINEAR_PROGRAM_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/// Libraries that solve linear programs.
enum class LinearSolver
{
    LpSolve, //!< always there
    Highs    //!< where it was found when rails was built
};

/// What a linear program has come to.
struct LinearSolution
{
    double cost{0};
    std::vector<double> columns; //!< value of each
};

/// Minimises a linear cost of columns (unknowns) under bounds of these and of rows (sums of them).
class LinearProgram
{
  public:
    /// Of a bound that is none.
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    /// A summand of a row.
    struct Term
    {
        uint32_t column;
        double factor;
    };

    /// \return number of a new unknown, from 0
    uint32_t AddColumn(double cost, double least = 0, double most = kInfinity);

    /// A sum of columns, each of which comes once, stays between two bounds.
    void AddRow(double least, const std::vector<Term>& terms, double most);

    /// \return true when a library was found when rails was built
    static bool Has(LinearSolver solver);

    /**
     * The same program has the same solution every time; where several are optimal, libraries
     * can differ in which they return.
     * \throws std::runtime_error when there is no optimum, std::invalid_argument without the
     * library
     */
    LinearSolution Minimise(LinearSolver solver = LinearSolver::LpSolve) const;

  private:
    LinearSolution MinimiseByLpSolve() const;
    LinearSolution MinimiseByHighs() const;

    std::vector<double> m_costs;        //!< by column
    std::vector<double> m_leastColumns; //!< bounds by column
    std::vector<double> m_mostColumns;  //!< bounds by column
    std::vector<double> m_leastRows;    //!< bounds by row
    std::vector<double> m_mostRows;     //!< bounds by row
    std::vector<int32_t> m_starts{0};   //!< by row: its first term, and the end of the last
    std::vector<int32_t> m_columns;     //!< by term
    std::vector<double> m_factors;      //!< by term
};

} // namespace ns3::rails

#endif // LINEAR_PROGRAM_H
