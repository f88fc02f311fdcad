package dev.outpost.runtime.session.stats;

import java.time.Duration;

/**
 * A session as its operator sees it. Never contains its UUID: any client that knows the UUID can take over the session.
 *
 * @param number 1, 2, 3, … in the order in which the runtime opened its sessions
 * @param state its state
 * @param connected true if its client is connected
 * @param disconnected time since the connection was lost; zero while connected
 * @param age time since it was opened
 * @param load its current load
 * @param work its work so far
 */
public record SessionStats(
        long number,
        SessionState state,
        boolean connected,
        Duration disconnected,
        Duration age,
        RuntimeLoad load,
        WorkCounters work) {}
