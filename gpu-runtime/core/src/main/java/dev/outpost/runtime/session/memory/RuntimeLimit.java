package dev.outpost.runtime.session.memory;

import java.util.Locale;

/** The limits of a runtime. For each, the runtime counts how often it was reached. */
public enum RuntimeLimit {
    SESSIONS("close a session, or ask for another machine"),
    GRANT_SESSIONS("close a session, or ask for a grant of more"),
    CONNECTIONS("close a connection, or ask for another machine"),
    FRAME_BYTES("send smaller frames"),
    QUEUED_MESSAGES("wait for reports of progress before sending more"),
    QUEUED_BYTES("wait for reports of progress before sending more"),
    UPLOADS("run the instructions that use the uploads before sending more"),
    SEGMENT_TIME("record smaller segments, or ask for a higher limit"),
    QUOTA("close unneeded tensors, use scopes, or ask for more memory"),
    REMEMBERED_SEGMENTS("send the segment whole"),
    PROGRAMS("close programs, or let fewer shapes be traced"),
    SCAN_ITERATIONS("scan in several calls"),
    EMISSIONS("take the results of the scan before granting more"),
    VALUES("close unneeded tensors, or use scopes"),
    /** Counts plans that were evicted for others. No client is refused for it. */
    PLANS("keep shapes equal from step to step");

    private final String remedy;

    RuntimeLimit(String remedy) {
        this.remedy = remedy;
    }

    /** Returns a stable name for metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the advice for a client that has reached the limit. */
    public String remedy() {
        return remedy;
    }
}
