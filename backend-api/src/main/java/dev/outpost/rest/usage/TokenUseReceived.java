package dev.outpost.rest.usage;

/**
 * The answer to a batch of token use.
 *
 * @param records the number of records in the batch
 * @param isRepeated true if the batch was counted before
 */
public record TokenUseReceived(int records, boolean isRepeated) {}
