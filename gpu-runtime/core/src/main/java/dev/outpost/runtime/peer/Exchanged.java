package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import java.util.Optional;

/**
 * The result of an exchange.
 *
 * @param elements of the result, row-major and little-endian
 * @param fault why there are none, where this member or another one has nothing to give
 */
public record Exchanged(byte[] elements, Optional<Fault> fault) {
    static Exchanged of(byte[] elements) {
        return new Exchanged(elements, Optional.empty());
    }

    static Exchanged failed(Fault fault) {
        return new Exchanged(new byte[0], Optional.of(fault));
    }
}
