package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * A price as the API shows it.
 *
 * @param nanosPerSecond the same a second, rounded to billionths
 * @param perHour exactly as it was set
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PriceView(String gpu, Instant from, long nanosPerSecond, BigDecimal perHour, String currency) {}
