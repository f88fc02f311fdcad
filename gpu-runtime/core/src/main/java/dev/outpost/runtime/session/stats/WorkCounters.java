package dev.outpost.runtime.session.stats;

/**
 * The work so far; these numbers only grow.
 *
 * @param segments segments that were run to their end
 * @param kernels kernels that were run
 * @param engineNanos time spent in kernels; that of many small ones is estimated from a few of them
 * @param turnWaitNanos time spent waiting until other sessions gave way
 * @param plansMade plans that were made, as opposed to found
 * @param traffic what travelled
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
