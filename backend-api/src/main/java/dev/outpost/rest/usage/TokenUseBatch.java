package dev.outpost.rest.usage;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Records that are counted together, once.
 *
 * @param id the drawn id of the batch; a batch that is sent again with its id is not counted again
 */
public record TokenUseBatch(UUID id, List<TokenUseRecord> records) {

    /**
     * The use of a model by the texts of a key.
     *
     * @param keyId the id of the key of the requests
     * @param model the name of the model in the requests
     * @param at the time at which the texts ended
     * @param texts the number of texts
     * @param promptTokens the number of tokens of prompts, cached ones included
     * @param cachedTokens the number of tokens of prompts that had been computed before
     * @param newTokens the number of new tokens
     * @param seconds the sum of the times of all texts
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
