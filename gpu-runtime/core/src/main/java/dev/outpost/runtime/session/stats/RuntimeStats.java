package dev.outpost.runtime.session.stats;

import dev.outpost.runtime.session.memory.RuntimeLimit;
import java.util.Map;

/**
 * The state and the work of a runtime.
 *
 * @param sessions sessions that have not ended
 * @param connections open connections
 * @param plans plans in the cache
 * @param load the load of all sessions, including ended sessions whose memory is being freed
 * @param work the work of all sessions since the start, including ended sessions
 * @param defects the number of internal errors since the start; each is in the log
 * @param refusals the number of times that each limit was met since the start
 */
public record RuntimeStats(
        int sessions,
        int connections,
        int plans,
        RuntimeLoad load,
        WorkCounters work,
        long defects,
        Map<RuntimeLimit, Long> refusals) {

    public long refusals(RuntimeLimit limit) {
        return refusals.get(limit);
    }
}
