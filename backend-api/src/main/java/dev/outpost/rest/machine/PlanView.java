package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.LimitView;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decision that the backend would make about a request.
 *
 * @param startsNow true if the machine would start at once
 * @param why the reason why it would not start at once
 * @param limit the quota or budget that it would exceed
 * @param freeBy the latest time at which there is room; absent if that is unknown
 * @param waiting the number of requests in the queue
 * @param cluster the cluster that would get the machine
 * @param device the GPU that it would get; absent if only a start of the machine shows it
 * @param nanosPerSecond the price of a second, in billionths of the currency's unit
 * @param perHour the price of an hour, in units of the currency; the price of the dearest kind if several are
 *     possible
 * @param currency the code of the currency, such as EUR; absent if the operator has not set one
 * @param reach a sentence about how a client would reach the machine
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanView(
        String gpu,
        boolean startsNow,
        @Nullable String why,
        @Nullable LimitView limit,
        @Nullable Instant freeBy,
        int waiting,
        @Nullable String cluster,
        @Nullable String device,
        long nanosPerSecond,
        BigDecimal perHour,
        @Nullable String currency,
        String reach) {}
