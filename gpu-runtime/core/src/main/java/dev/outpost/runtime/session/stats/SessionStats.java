package dev.outpost.runtime.session.stats;

import java.time.Duration;

/**
 * A session as its operator sees it. Never contains its UUID: any client that knows the UUID can take over the
 * session.
 *
 * @param number the session's number: 1, 2, 3, … in the order in which the runtime opened sessions
 * @param state the state of the session
 * @param connected true if the client is connected
 * @param disconnected time since the connection was lost; zero while connected
 * @param age time since the session was opened
 * @param load the session's current load
 * @param work the session's work so far
 */
public record SessionStats(
        long number,
        SessionState state,
        boolean connected,
        Duration disconnected,
        Duration age,
        RuntimeLoad load,
        WorkCounters work) {}
