/** Machines, their grants and their events, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.machine;

import org.jspecify.annotations.NullMarked;
