package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import java.util.Optional;

/**
 * The result of an exchange.
 *
 * @param elements the elements of the result, row-major and little-endian; empty if they are in the device's memory already
 * @param isInPlace true if the elements are in the device's memory
 * @param fault the reason why there are no elements: the fault of a lost operand
 */
public record ExchangeResult(byte[] elements, boolean isInPlace, Optional<Fault> fault) {
    private static final byte[] NOTHING = new byte[0];

    static ExchangeResult of(byte[] elements) {
        return new ExchangeResult(elements, false, Optional.empty());
    }

    /** Returns the result of an exchange that the device has written. */
    static ExchangeResult inPlace() {
        return new ExchangeResult(NOTHING, true, Optional.empty());
    }

    static ExchangeResult failed(Fault fault) {
        return new ExchangeResult(NOTHING, false, Optional.of(fault));
    }
}
