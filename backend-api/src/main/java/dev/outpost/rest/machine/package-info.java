/** Machines, their grants and their events, as the backend's REST API takes and shows them. */
package dev.outpost.rest.machine;
