package dev.outpost.runtime.session.run;

/** Hears how long a kernel ran, once that is known; of one that failed nothing. */
@FunctionalInterface
public interface KernelTimeListener {
    void ran(long engineNanos);
}
