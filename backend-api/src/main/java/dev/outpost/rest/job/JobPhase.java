package dev.outpost.rest.job;

/** The phases of a job, in the order of its life. */
public enum JobPhase {
    /** A machine will be requested as soon as possible. */
    WAITING,

    /** Its machine starts. */
    STARTING,

    /** Its program runs. */
    RUNNING,

    /** The runner has the order to end the program. */
    STOPPING,

    /** A run is over, its machine ends, and another run follows. */
    CLEARING,

    /** The program ended with exit code 0. */
    SUCCEEDED,

    /** The program failed in the last allowed run, took too long, or could not be started. */
    FAILED,

    /** The end of the job was requested. */
    CANCELLED;

    public boolean isOver() {
        return compareTo(SUCCEEDED) >= 0;
    }

    /** True if its program may run. */
    public boolean isBegun() {
        return this == RUNNING || this == STOPPING;
    }
}
