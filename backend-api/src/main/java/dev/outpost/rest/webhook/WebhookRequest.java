package dev.outpost.rest.webhook;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a webhook.
 *
 * @param project the project whose events are sent; all projects of the organisation by default
 * @param types the beginnings of the sent types, such as {@code job.} or {@code machine.ended}; all types by default
 * @param paused true if no events are sent; false by default
 */
public record WebhookRequest(
        String url,
        @Nullable String project,
        @Nullable List<String> types,
        @Nullable Boolean paused) {}
