package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * What is set, in units of the currency; absent amounts are 0.
 *
 * @param perMillionPrompt for a million tokens of prompts that are computed
 * @param perMillionCached for a million tokens of prompts that had been computed before
 * @param perMillionNew for a million new tokens
 * @param perSecond for a second in which a text is under way
 * @param from a time that is not past; now where it is absent
 */
public record TokenPriceRequest(
        String model,
        BigDecimal perMillionPrompt,
        BigDecimal perMillionCached,
        BigDecimal perMillionNew,
        BigDecimal perSecond,
        Instant from) {}
