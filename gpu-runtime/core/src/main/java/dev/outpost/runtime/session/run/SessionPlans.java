package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;

/** The plans by which a session computes its graphs, from the cache of all sessions. Used by the worker alone. */
final class SessionPlans {
    private final SessionContext context;
    private final ExplainLog log;

    SessionPlans(SessionContext context, ExplainLog log) {
        this.context = context;
        this.log = log;
    }

    /** A plan that stores all values that outlive it. */
    Plan storing(Graph graph) throws InterruptedException {
        return plan(graph, false);
    }

    /** A plan that may leave values to be computed later. */
    Plan deferring(Graph graph) throws InterruptedException {
        return plan(graph, true);
    }

    private Plan plan(Graph graph, boolean mayDefer) throws InterruptedException {
        long start = log.isTraced() ? context.runtime().now() : 0;
        PlanCache.Answer answer = context.runtime().plans().plan(graph, mayDefer, context.slice()::release);
        if (answer.made()) {
            context.counters().plansMade.add(1);
        }
        if (answer.made() && log.isTraced()) {
            log.trace().planned(start, context.runtime().now());
        }
        return answer.plan();
    }
}
