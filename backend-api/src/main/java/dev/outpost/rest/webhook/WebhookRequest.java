package dev.outpost.rest.webhook;

import java.util.List;

/**
 * The request for a webhook.
 *
 * @param project whose events are sent; those of the whole organisation unless given
 * @param types beginnings of the types that are sent, such as {@code job.} or {@code machine.ended}; all unless given
 */
public record WebhookRequest(String url, String project, List<String> types, Boolean paused) {}
