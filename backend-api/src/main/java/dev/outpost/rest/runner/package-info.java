/** The calls of the runner of a job, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.runner;

import org.jspecify.annotations.NullMarked;
