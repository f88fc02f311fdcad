/** The calls of a host that joins a backend, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.worker;

import org.jspecify.annotations.NullMarked;
