// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRECISE_SUM_H
#define PRECISE_SUM_H

namespace ns3::rails
{

/**
 * A sum with terms added and subtracted any number of times. The rounding error of each addition is
 * kept beside the sum (Knuth's two-sum), so the sum stays as exact as one of the remaining terms
 * only. Needs a compiler that neither contracts nor reorders floating-point operations.
 */
class PreciseSum
{
  public:
    void Add(double term)
    {
        const double sum = m_sum + term;
        const double added = sum - m_sum;
        m_rest += (m_sum - (sum - added)) + (term - added);
        m_sum = sum;
    }

    double Get() const
    {
        return m_sum + m_rest;
    }

    /// \return an amount minus this sum
    double TakeFrom(double amount) const
    {
        return (amount - m_sum) - m_rest;
    }

  private:
    double m_sum{0};
    double m_rest{0};
};

} // namespace ns3::rails

#endif // PRECISE_SUM_H
