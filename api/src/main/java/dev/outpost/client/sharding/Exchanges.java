package dev.outpost.client.sharding;

import dev.outpost.protocol.op.WireFormat;

/** Numbers the exchanges of a group, which rise, and says by what hash its members know that they run one program. */
public interface Exchanges {
    /** The next number. */
    long next();

    /** The hash of the program that is rewritten. */
    long program();

    /** Called when a member creates a part of a random tensor, which older machines cannot do. Must not block. */
    void drawsParts();

    /** How float32 sums travel that are large enough to be worth it. */
    WireFormat format();
}
