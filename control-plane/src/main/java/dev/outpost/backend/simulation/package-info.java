/** {@code ./outpost simulate}: runs the backend's own code and a real database, with simulated clusters and people in virtual time. */
package dev.outpost.backend.simulation;
