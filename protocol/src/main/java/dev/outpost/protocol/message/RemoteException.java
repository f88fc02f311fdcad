package dev.outpost.protocol.message;

import dev.outpost.types.OutpostException;
import org.jspecify.annotations.Nullable;

/** A failure that happened on the machine and surfaced where the program looked at a value that it touched. */
public final class RemoteException extends OutpostException {
    private final transient Fault fault;

    public RemoteException(Fault fault, String message) {
        this(fault, message, null);
    }

    public RemoteException(Fault fault, String message, @Nullable Throwable cause) {
        super(FaultMessages.kind(fault), FaultMessages.code(fault), message, cause);
        this.fault = fault;
    }

    /** The fault that the machine reported. */
    public Fault fault() {
        return fault;
    }
}
