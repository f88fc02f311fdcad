package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a key that a gateway was shown.
 *
 * @param project the project of the key; absent for a key of the whole organisation
 * @param billed the project that pays
 * @param tokensLeft the number of tokens that its texts may still use in this month; 0 if a budget is used up, absent without a limit
 * @param expires the time at which the key expires
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdmittedKey(
        String keyId,
        @Nullable String project,
        String billed,
        @Nullable Long tokensLeft,
        @Nullable Instant expires) {}
