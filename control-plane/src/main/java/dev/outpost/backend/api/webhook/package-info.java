/** Webhooks and their deliveries. */
package dev.outpost.backend.api.webhook;
