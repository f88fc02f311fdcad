/** The events of an organisation, as pages and as a stream. */
package dev.outpost.backend.api.event;
