package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;

/** Thrown if a member has lost its operand, so that an exchange has no result. */
final class PeerFaultException extends Exception {
    private final transient Fault fault;

    PeerFaultException(Fault fault) {
        super(fault.getMessage(), null, false, false);
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }
}
