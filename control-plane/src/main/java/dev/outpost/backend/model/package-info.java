/** What the backend decides, as pure functions over values: no SQL, no clock, no framework. */
package dev.outpost.backend.model;
