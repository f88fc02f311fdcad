package dev.outpost.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** An event on its way. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeliveryView(
        long id,
        UUID event,
        String type,
        DeliveryState state,
        int tries,
        String text,
        Instant created,
        Instant due,
        Map<String, Object> body) {}
