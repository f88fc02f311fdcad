/** Machines, their grants and their events, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.machine;

import org.jspecify.annotations.NullMarked;
