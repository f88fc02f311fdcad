package dev.outpost.rest.usage;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Records that are counted together, once.
 *
 * @param id drawn for the batch; the same batch sent again is not counted again
 */
public record TokenUseBatch(UUID id, List<TokenUseRecord> records) {

    /**
     * The use of the texts of a key.
     *
     * @param keyId the key that requests bore
     * @param model the name that requests call it
     * @param at when the texts ended
     * @param seconds in which texts were under way, summed up over texts
     */
    public record TokenUseRecord(
            String keyId,
            String model,
            Instant at,
            long texts,
            long promptTokens,
            long cachedTokens,
            long newTokens,
            long seconds) {}
}
