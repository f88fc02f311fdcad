/** Jobs with their files, schedules and secrets, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.job;

import org.jspecify.annotations.NullMarked;
