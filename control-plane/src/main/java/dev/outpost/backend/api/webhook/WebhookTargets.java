package dev.outpost.backend.api.webhook;

/**
 * The addresses that webhooks may have.
 *
 * @param mayBePrivate whether addresses that the internet does not reach, and plain HTTP, are allowed
 */
public record WebhookTargets(boolean mayBePrivate) {}
