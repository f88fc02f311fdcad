/** A client of a backend: where it is and what opens it, calls with retry, and a class of calls for each kind of resource. */
package dev.outpost.rest.client;
