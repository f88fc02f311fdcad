package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;

/** Plans the graphs of a session, with the plan cache of all sessions. Used by the worker thread alone. */
final class SessionPlans {
    private final SessionContext context;
    private final ExplainLog log;

    SessionPlans(SessionContext context, ExplainLog log) {
        this.context = context;
        this.log = log;
    }

    /** Returns a plan that stores all values that outlive it. */
    Plan storing(Graph graph) throws InterruptedException {
        return plan(graph, false);
    }

    /** Returns a plan that may defer the computation of values. */
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
