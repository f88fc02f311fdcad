/** Machines of a project: made, planned, granted, shared, ended. */
package dev.outpost.backend.api.machine;
