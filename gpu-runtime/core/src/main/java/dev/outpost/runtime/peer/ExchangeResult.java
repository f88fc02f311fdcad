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
public record ExchangeResult(byte[] elements, boolean isInPlace, Optional<Fault> fault) {
    private static final byte[] NOTHING = new byte[0];

    static ExchangeResult of(byte[] elements) {
        return new ExchangeResult(elements, false, Optional.empty());
    }

    /** A device has written the result. */
    static ExchangeResult inPlace() {
        return new ExchangeResult(NOTHING, true, Optional.empty());
    }

    static ExchangeResult failed(Fault fault) {
        return new ExchangeResult(NOTHING, false, Optional.of(fault));
    }
}
