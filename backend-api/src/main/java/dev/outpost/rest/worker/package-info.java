/** The calls of a host that joins a backend, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.worker;

import org.jspecify.annotations.NullMarked;
