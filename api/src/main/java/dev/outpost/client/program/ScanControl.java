package dev.outpost.client.program;

import dev.outpost.client.waits.BlockingWaits;

/** The session that runs a scan. */
public interface ScanControl {
    /** Waits until there is room for another call, and then expects what the scan emits. */
    void begin(RemoteScan scan);

    /** Allows the machine to run so many iterations in all. */
    void grant(RemoteScan scan, long iterations);

    /** Asks the machine to end after the run at hand. */
    void cancel(RemoteScan scan);

    BlockingWaits waits();
}
