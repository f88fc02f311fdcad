package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.LimitView;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * The fate of the request.
 *
 * @param why it would not start now
 * @param limit the quota or budget that binds
 * @param freeBy when there is room at the latest, where that is known
 * @param waiting how many wait already
 * @param device the GPU that it would get, where its cluster tells that before a start
 * @param perHour what it costs, in units of the currency; that of the dearest where several kinds may be given
 * @param reach which way a client would reach it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanView(
        String gpu,
        boolean startsNow,
        String why,
        LimitView limit,
        Instant freeBy,
        int waiting,
        String cluster,
        String device,
        long nanosPerSecond,
        BigDecimal perHour,
        String currency,
        String reach) {}
