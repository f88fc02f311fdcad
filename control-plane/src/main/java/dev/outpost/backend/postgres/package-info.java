/** The PostgreSQL server that the backend itself starts if no database is configured. Plain Java. */
package dev.outpost.backend.postgres;
