package dev.outpost.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A webhook as the API shows it; its secret is in the answer that makes it, and in no other. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookView(
        UUID id,
        long version,
        String url,
        String project,
        List<String> types,
        boolean paused,
        Instant created,
        String secret) {}
