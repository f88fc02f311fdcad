package dev.outpost.client.session;

/**
 * A state that a store has.
 *
 * @param number the number of the state
 * @param position the position in the program's messages that the state covers, as the caller counts them
 * @param lastValue the latest id that the state can have; values with later ids were recorded after it
 * @param bytes the number of bytes that were written
 */
public record SavedState(long number, long position, long lastValue, long bytes) {}
