/** Jobs, and the schedules that make them. */
package dev.outpost.backend.model.job;
