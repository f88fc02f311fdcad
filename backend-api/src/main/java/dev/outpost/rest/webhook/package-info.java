/** Webhooks and their deliveries, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.webhook;

import org.jspecify.annotations.NullMarked;
