// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINEAR_PROGRAM_H
#define LINEAR_PROGRAM_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/// Solution of a linear program.
struct LinearSolution
{
    double cost{0};
    std::vector<double> columns; //!< values of columns
};

/// Minimizes a linear cost of columns (unknowns), subject to bounds of columns and of rows (linear
/// sums of columns).
class LinearProgram
{
  public:
    /// Stands for no bound.
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    /// Summand of a row.
    struct Term
    {
        uint32_t column;
        double factor;
    };

    /// \return number of a new column, from 0
    uint32_t AddColumn(double cost, double least = 0, double most = kInfinity);

    /// Bounds a sum of different columns from both sides.
    void AddRow(double least, const std::vector<Term>& terms, double most);

    /**
     * Solves the program with lp_solve. The same program always has the same solution.
     * \throws std::runtime_error when there is no optimum
     */
    LinearSolution Minimise() const;

  private:
    std::vector<double> m_costs;        //!< by column
    std::vector<double> m_leastColumns; //!< bounds by column
    std::vector<double> m_mostColumns;  //!< bounds by column
    std::vector<double> m_leastRows;    //!< bounds by row
    std::vector<double> m_mostRows;     //!< bounds by row
    std::vector<int32_t> m_starts{0};   //!< first term by row, and one past the last term
    std::vector<int32_t> m_columns;     //!< by term
    std::vector<double> m_factors;      //!< by term
};

} // namespace ns3::rails

#endif // LINEAR_PROGRAM_H
