package dev.outpost.runtime.session;

/**
 * What a runtime holds.
 *
 * @param sessions sessions that have not ended
 * @param liveBytes what the values of all sessions take, those included that are just being freed
 * @param plans plans in the cache
 * @param plansMade plans made since the start
 */
public record RuntimeStats(int sessions, long liveBytes, int plans, long plansMade) {}
