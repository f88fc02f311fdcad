/** {@code ./outpost bench backend}: cost and speed of the backend, measured from the outside. */
package dev.outpost.bench.backend;
