package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A new price: units of the currency for a GPU and hour, from a time on that is not past; from now where it is
 * absent.
 */
public record PriceRequest(String gpu, BigDecimal perHour, Instant from) {}
