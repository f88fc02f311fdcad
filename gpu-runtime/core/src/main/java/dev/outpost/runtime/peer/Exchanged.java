package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import java.util.Optional;

/**
 * The result of an exchange.
 *
 * @param elements of the result, row-major and little-endian; none where they are in the device's memory already
 * @param isInPlace whether they are
 * @param fault why there are none, where this member or another one has nothing to give
 */
public record Exchanged(byte[] elements, boolean isInPlace, Optional<Fault> fault) {
    private static final byte[] NOTHING = new byte[0];

    static Exchanged of(byte[] elements) {
        return new Exchanged(elements, false, Optional.empty());
    }

    /** A device has written the result. */
    static Exchanged inPlace() {
        return new Exchanged(NOTHING, true, Optional.empty());
    }

    static Exchanged failed(Fault fault) {
        return new Exchanged(NOTHING, false, Optional.of(fault));
    }
}
