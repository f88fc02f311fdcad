package dev.outpost.client.program;

import dev.outpost.client.waits.BlockingWaits;

/** The session that runs a scan. */
public interface ScanControl {
    /** Waits until there is room for another call. */
    void awaitRoom();

    /** Expects the emissions of the scan. Does not wait. */
    void begin(RemoteScan scan);

    /** Returns true if the session has ended because the machine was paused. */
    boolean isPaused();

    /** Allows the machine to run up to this total number of iterations. */
    void grant(RemoteScan scan, long iterations);

    /** Asks the machine to end the scan after the current run. */
    void cancel(RemoteScan scan);

    BlockingWaits waits();
}
