package dev.outpost.runtime.session.context;

/**
 * An instruction that a session ran.
 *
 * @param session the session's number
 * @param op the op's name
 * @param results the types of its results, such as {@code float32[64,10]}
 * @param nanos nanoseconds spent in the instruction's kernel; 0 if it has none
 */
public record Executed(long session, String op, String results, long nanos) {}
