package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A new price.
 *
 * @param gpu a kind of the catalogue, or {@code any}
 * @param perHour the price of a GPU for an hour, in units of the currency
 * @param from the time from which it is valid, not in the past; now by default
 */
public record PriceRequest(
        String gpu, BigDecimal perHour, @Nullable Instant from) {}
