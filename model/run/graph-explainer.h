// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_EXPLAINER_H
#define GRAPH_EXPLAINER_H

#include "path-segment-recorder.h"

#include "ns3/graph-runner.h"
#include "ns3/rails-explanation.h"

namespace ns3::rails
{

/**
 * \param runner of a graph that is done
 * \param recorder of the run, after Finish()
 * \return why the transfers on the critical path took longer than their lower bounds
 */
Explanation ExplainGraph(const GraphRunner& runner, const PathSegmentRecorder& recorder);

} // namespace ns3::rails

#endif // GRAPH_EXPLAINER_H
