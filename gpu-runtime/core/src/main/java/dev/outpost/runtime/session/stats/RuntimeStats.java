package dev.outpost.runtime.session.stats;

import dev.outpost.runtime.session.memory.RuntimeLimit;
import java.util.Map;

/**
 * The state and the work of a runtime.
 *
 * @param sessions sessions that have not ended
 * @param connections connections that are open
 * @param plans plans in the cache
 * @param load what all sessions hold, those included whose memory is just being freed
 * @param work what all sessions have done since the start, those included that have ended
 * @param defects what went wrong since the start that should be impossible; each stands in the log
 * @param refusals how often each limit was met since the start
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
