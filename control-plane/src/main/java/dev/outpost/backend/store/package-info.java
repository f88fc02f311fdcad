/** The rows of the backend, by SQL over JDBC: a few repositories, each of one idea. */
package dev.outpost.backend.store;
