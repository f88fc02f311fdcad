package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a price.
 *
 * @param from the time from which it is valid
 * @param nanosPerSecond the price of a second, rounded to billionths of the currency's unit
 * @param perHour the exact price of an hour, in units of the currency
 * @param currency the code of the currency, such as EUR; absent if the operator has not set one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PriceView(
        String gpu,
        Instant from,
        long nanosPerSecond,
        BigDecimal perHour,
        @Nullable String currency) {}
