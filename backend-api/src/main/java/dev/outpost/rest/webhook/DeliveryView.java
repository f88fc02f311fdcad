package dev.outpost.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of the delivery of an event to a webhook.
 *
 * @param id the number of the delivery
 * @param type the type of the event, such as {@code job.failed}
 * @param tries the number of attempts
 * @param text a sentence about the last attempt
 * @param due the time of the next attempt; absent if there is none
 * @param body the event
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeliveryView(
        long id,
        UUID event,
        String type,
        DeliveryState state,
        int tries,
        String text,
        Instant created,
        @Nullable Instant due,
        Map<String, Object> body) {}
