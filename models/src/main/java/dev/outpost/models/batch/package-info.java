/** Continuous batching: texts of many callers are generated together, and join and leave at every step. */
package dev.outpost.models.batch;
