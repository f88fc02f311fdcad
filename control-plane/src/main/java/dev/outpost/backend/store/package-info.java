/** The rows of the backend, by SQL over JDBC: a repository for each subject. */
package dev.outpost.backend.store;
