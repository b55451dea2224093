// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_EXPLAINER_H
#define GRAPH_EXPLAINER_H

#include "leg-recorder.h"

#include "ns3/graph-runner.h"
#include "ns3/rails-explanation.h"

namespace ns3::rails
{

/**
 * \param runner a graph that is done
 * \param recorder what has watched it, and is finished
 * \return why the transfers on its critical path took as long as they did
 */
Explanation ExplainGraph(const GraphRunner& runner, const LegRecorder& recorder);

} // namespace ns3::rails

#endif // GRAPH_EXPLAINER_H
