/** Jobs with their files, schedules and secrets, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.job;

import org.jspecify.annotations.NullMarked;
