package dev.outpost.runtime.explain;

import dev.outpost.runtime.plan.Plan;
import java.util.LinkedHashMap;

/** The times of the kernels of a session's latest plans. Used by the session's worker thread alone. */
public final class TimedPlans {
    /** The maximum number of plans that are timed. */
    static final int MAX_PLANS = 64;

    /** The maximum number of tasks that are timed, in all plans together. */
    static final int MAX_TASKS = 1 << 12;

    private final LinkedHashMap<Plan, PlanTimes> times = new LinkedHashMap<>(16, 0.75f, true);
    private int tasks;

    /** Begins a run of a plan. Returns the object that takes its times, or null if this run is not timed. */
    public PlanTimes begin(Plan plan) {
        PlanTimes known = times.get(plan);
        PlanTimes ofPlan = known == null ? open(plan) : known;
        return ofPlan != null && ofPlan.begin() ? ofPlan : null;
    }

    /** Returns the times of a plan; null if it was never timed. */
    public PlanTimes of(Plan plan) {
        return times.get(plan);
    }

    public void clear() {
        times.clear();
        tasks = 0;
    }

    private PlanTimes open(Plan plan) {
        int more = plan.tasks().size();
        if (more > MAX_TASKS) {
            return null;
        }
        PlanTimes opened = new PlanTimes(more);
        times.put(plan, opened);
        tasks += more;
        while (tasks > MAX_TASKS || times.size() > MAX_PLANS) {
            tasks -= times.pollFirstEntry().getKey().tasks().size();
        }
        return opened;
    }
}
