/** Webhooks and their deliveries, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.webhook;

import org.jspecify.annotations.NullMarked;
