/** The calls of the runner of a job, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.runner;

import org.jspecify.annotations.NullMarked;
