/** Machines of a project: their requests, plans, grants, sharing and end. */
package dev.outpost.backend.api.machine;
