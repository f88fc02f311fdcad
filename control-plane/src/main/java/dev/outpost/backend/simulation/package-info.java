/** {@code ./outpost simulate}: the backend's own functions and a real database, with clusters and people in virtual time. */
package dev.outpost.backend.simulation;
