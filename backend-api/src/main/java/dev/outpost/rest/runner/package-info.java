/** The calls of the runner of a job, as the backend's REST API takes and shows them. */
package dev.outpost.rest.runner;
