package dev.outpost.client.sharding;

import dev.outpost.protocol.op.WireFormat;

/** Numbers the exchanges of a group in rising order, and gives the hash by which the members check that they run the same program. */
public interface Exchanges {
    /** Returns the next number. */
    long next();

    /** Returns the hash of the program that is rewritten. */
    long program();

    /** Called when a member creates a part of a random tensor, which older machines cannot do. Must not block. */
    void drawsParts();

    /** Returns the format in which large float32 sums are sent. */
    WireFormat format();
}
