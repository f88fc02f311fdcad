package dev.outpost.runtime.session.stats;

import java.time.Duration;

/**
 * A session as its operator sees it. Its UUID is in none of this: whoever knows that can take the session over.
 *
 * @param number 1, 2, 3, … in the order in which the runtime opened its sessions
 * @param state how far it has come
 * @param connected whether its client is connected
 * @param disconnected how long there has been no connection; zero while there is one
 * @param age how long ago it was opened
 * @param load what it holds
 * @param work what it has done
 */
public record SessionStats(
        long number,
        SessionState state,
        boolean connected,
        Duration disconnected,
        Duration age,
        RuntimeLoad load,
        WorkCounters work) {}
