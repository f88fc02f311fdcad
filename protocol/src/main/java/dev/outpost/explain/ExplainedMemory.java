package dev.outpost.explain;

/**
 * The planned memory of the whole segment. A view takes no memory itself, and keeps the memory under it alive.
 *
 * @param inputBytes the bytes of the inputs
 * @param peakBytes the maximum number of bytes that are held at once, including inputs
 * @param peakAt the index of the first kernel at which that peak is reached; {@link ExplainedValue#BEFORE} if there is no kernel
 * @param keptBytes the bytes held after the run, including inputs that are still needed
 */
public record ExplainedMemory(long inputBytes, long peakBytes, int peakAt, long keptBytes) {}
