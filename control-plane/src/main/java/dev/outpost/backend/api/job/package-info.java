/** Jobs with their files, schedules and secrets, and the calls of their runners. */
package dev.outpost.backend.api.job;
