// SPDX-License-Identifier: GPL-2.0-only
#include "load-prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace ns3::rails
{

namespace
{

using Shares = std::vector<double>;

/// Column-major matrix.
struct Matrix
{
    std::size_t size;
    std::vector<double> cells;

    double* GetColumn(std::size_t column)
    {
        return cells.data() + column * size;
    }

    Shares Apply(const Shares& shares) const
    {
        Shares result(size, 0);
        for (std::size_t column = 0; column < size; ++column)
        {
            for (std::size_t row = 0; row < size; ++row)
            {
                result[row] += cells[column * size + row] * shares[column];
            }
        }
        return result;
    }
};

/// Projects numbers onto the probability simplex.
void
Project(double* numbers, std::size_t size, std::vector<double>& sorted)
{
    sorted.assign(numbers, numbers + size);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0;
    double level = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        sum += sorted[i];
        const double next = (sum - 1) / static_cast<double>(i + 1);
        if (sorted[i] <= next)
        {
            break;
        }
        level = next;
    }
    for (std::size_t i = 0; i < size; ++i)
    {
        numbers[i] = std::max(0.0, numbers[i] - level);
    }
}

/// One projected gradient step of the weighted squared error, from `from` into `to`.
void
Descend(const std::vector<SeenLoads>& seen, double step, const Matrix& from, Matrix& to)
{
    to.cells = from.cells;
    double weight = 1;
    for (const SeenLoads& pair : seen)
    {
        const Shares found = from.Apply(pair.before);
        for (std::size_t column = 0; column < to.size; ++column)
        {
            double* cells = to.GetColumn(column);
            const double by = step * weight * pair.before[column];
            for (std::size_t row = 0; row < to.size; ++row)
            {
                cells[row] -= by * (found[row] - pair.here[row]);
            }
        }
        weight /= 2;
    }
    std::vector<double> sorted;
    for (std::size_t column = 0; column < to.size; ++column)
    {
        Project(to.GetColumn(column), to.size, sorted);
    }
}

} // namespace

// Accelerated projected gradient (Beck and Teboulle, 2009). The step is the inverse of a bound on
// the largest curvature: the weighted sum of squared past shares.
std::vector<double>
PredictLoads(const std::vector<SeenLoads>& seen, const std::vector<double>& before)
{
    constexpr int kSteps = 60;
    const std::size_t size = before.size();
    Matrix now{size, std::vector<double>(size * size, 1.0 / static_cast<double>(size))};
    double curvature = 0;
    double weight = 1;
    for (const SeenLoads& pair : seen)
    {
        curvature +=
            weight *
            std::inner_product(pair.before.begin(), pair.before.end(), pair.before.begin(), 0.0);
        weight /= 2;
    }
    Matrix ahead = now;
    Matrix next = now;
    double momentum = 1;
    for (int step = 0; step < kSteps && curvature > 0; ++step)
    {
        Descend(seen, 1 / curvature, ahead, next);
        const double larger = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
        for (std::size_t i = 0; i < next.cells.size(); ++i)
        {
            ahead.cells[i] =
                next.cells[i] + (momentum - 1) / larger * (next.cells[i] - now.cells[i]);
        }
        momentum = larger;
        std::swap(now.cells, next.cells);
    }
    return now.Apply(before);
}

} // namespace ns3::rails
