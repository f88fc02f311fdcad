package dev.outpost.rest.usage;

/** The number of records, and true if the batch was counted before. */
public record TokenUseReceived(int records, boolean isRepeated) {}
