/** A client of a backend: its address and key, calls with retry, and a class of calls for each kind of resource. */
@NullMarked
package dev.outpost.rest.client;

import org.jspecify.annotations.NullMarked;
