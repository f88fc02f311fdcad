package dev.outpost.channel;

/** The two streams between a client and a machine. Each keeps frames apart from the other, so bulk never delays control. */
public enum Lane {
    /** Small frames that must be prompt: what was recorded, acknowledgements, faults. */
    CONTROL,
    /** Raw tensor data in chunks. */
    BULK
}
