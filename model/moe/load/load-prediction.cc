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

/// Columns one behind the other.
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

/// Moves numbers to the nearest ones that are not negative and add up to 1.
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

/// One step against the gradient of the weighted squares, from `from`, into `to`.
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

// An accelerated projected gradient (Beck and Teboulle, 2009): its steps are as long as the largest
// curvature allows, which the sum of the squares of what was seen bounds.
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
