package dev.outpost.runtime.session;

/** Hears how long a kernel ran, once that is known; of one that failed nothing. */
@FunctionalInterface
interface RanListener {
    void ran(long engineNanos);
}
