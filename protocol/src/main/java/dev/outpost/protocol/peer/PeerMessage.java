package dev.outpost.protocol.peer;

import dev.outpost.protocol.message.Fault;
import java.util.Optional;

/**
 * What a member says to another one in an exchange.
 *
 * @param number of the exchange
 * @param program a hash of the program that the sender runs
 * @param fault why there are no elements; empty where there are
 * @param elements little-endian; nobody changes them any more
 */
public record PeerMessage(long number, long program, Optional<Fault> fault, byte[] elements) {
    private static final byte[] NOTHING = new byte[0];

    public static PeerMessage of(long number, long program, byte[] elements) {
        return new PeerMessage(number, program, Optional.empty(), elements);
    }

    public static PeerMessage failed(long number, long program, Fault fault) {
        return new PeerMessage(number, program, Optional.of(fault), NOTHING);
    }
}
