/** Webhooks and their deliveries, as the backend's REST API takes and shows them. */
package dev.outpost.rest.webhook;
