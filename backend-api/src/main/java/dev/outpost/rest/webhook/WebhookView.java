package dev.outpost.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a webhook.
 *
 * @param project the project whose events are sent; all projects of the organisation if absent
 * @param types the beginnings of the sent types; all types if empty
 * @param secret the secret that signs deliveries; only in the answer that makes the webhook
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookView(
        UUID id,
        long version,
        String url,
        @Nullable String project,
        List<String> types,
        boolean paused,
        Instant created,
        @Nullable String secret) {}
