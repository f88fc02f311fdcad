package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;

/** A member has nothing to give, so an exchange has no result. */
final class HeardFaultException extends Exception {
    private final transient Fault fault;

    HeardFaultException(Fault fault) {
        super(fault.getMessage(), null, false, false);
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }
}
