package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The new prices of a model's tokens, in units of the currency; each is 0 by default.
 *
 * @param perMillionPrompt the price of a million tokens of prompts that are computed
 * @param perMillionCached the price of a million tokens of prompts that had been computed before
 * @param perMillionNew the price of a million new tokens
 * @param perSecond the price of a second in which a text is generated
 * @param from the time from which the prices are valid, not in the past; now by default
 */
public record TokenPriceRequest(
        String model,
        @Nullable BigDecimal perMillionPrompt,
        @Nullable BigDecimal perMillionCached,
        @Nullable BigDecimal perMillionNew,
        @Nullable BigDecimal perSecond,
        @Nullable Instant from) {}
