package dev.outpost.protocol.message;

import dev.outpost.types.OutpostException;
import org.jspecify.annotations.Nullable;

/** A failure on the machine. It is thrown where the program reads a value that the failure affects. */
public final class RemoteException extends OutpostException {
    private final transient Fault fault;

    public RemoteException(Fault fault, String message) {
        this(fault, message, null);
    }

    public RemoteException(Fault fault, String message, @Nullable Throwable cause) {
        super(FaultMessages.kind(fault), FaultMessages.code(fault), message, cause);
        this.fault = fault;
    }

    /** Returns the fault that the machine reported. */
    public Fault fault() {
        return fault;
    }
}
