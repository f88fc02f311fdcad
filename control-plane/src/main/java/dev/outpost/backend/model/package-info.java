/** The decisions of the backend, as pure functions over values: no SQL, no clock, no framework. */
package dev.outpost.backend.model;
