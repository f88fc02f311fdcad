package dev.outpost.client.sharding;

/** Numbers the exchanges of a group, which rise, and says by what hash its members know that they run one program. */
public interface Exchanges {
    /** The next number. */
    long next();

    /** The hash of the program that is rewritten. */
    long program();
}
