/** Jobs with their files, schedules and secrets, as the backend's REST API takes and shows them. */
package dev.outpost.rest.job;
