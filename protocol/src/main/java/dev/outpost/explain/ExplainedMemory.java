package dev.outpost.explain;

/**
 * The memory of the whole segment, by its plan. A view takes nothing, and keeps what it is over.
 *
 * @param inputBytes what comes from outside
 * @param peakBytes the most that is held at once, inputs included
 * @param peakAt the place of the first kernel at which that is so; {@link ExplainedValue#BEFORE} when there is none
 * @param keptBytes what is held when it has run, inputs that live on included
 */
public record ExplainedMemory(long inputBytes, long peakBytes, int peakAt, long keptBytes) {}
