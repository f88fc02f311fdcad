/** A PostgreSQL that the backend starts by itself, for a host where none is configured. Plain Java. */
package dev.outpost.backend.postgres;
