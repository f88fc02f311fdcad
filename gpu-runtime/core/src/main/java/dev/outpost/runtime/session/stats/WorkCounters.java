package dev.outpost.runtime.session.stats;

/**
 * The work so far. These numbers only grow.
 *
 * @param segments segments that ran to their end
 * @param kernels kernels that ran
 * @param engineNanos time spent in kernels; for many small kernels it is estimated from a few of them
 * @param turnWaitNanos time spent waiting for a time slice
 * @param plansMade plans that were made rather than found in the cache
 * @param traffic bytes sent and received
 */
public record WorkCounters(
        long segments, long kernels, long engineNanos, long turnWaitNanos, long plansMade, LaneTraffic traffic) {
    public static final WorkCounters NONE = new WorkCounters(0, 0, 0, 0, 0, LaneTraffic.NONE);

    public WorkCounters plus(WorkCounters more) {
        return new WorkCounters(
                segments + more.segments,
                kernels + more.kernels,
                engineNanos + more.engineNanos,
                turnWaitNanos + more.turnWaitNanos,
                plansMade + more.plansMade,
                traffic.plus(more.traffic));
    }
}
