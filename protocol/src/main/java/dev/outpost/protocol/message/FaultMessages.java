package dev.outpost.protocol.message;

import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Makes {@link Fault}s, and reads the faults of a peer. */
public final class FaultMessages {
    /** The maximum length of a fault's text, in characters. Longer texts are truncated. */
    private static final int MAX_OF_A_TEXT = 16 << 10;

    private static final int MAX_OF_A_NAME = 256;

    private FaultMessages() {}

    /** Makes a fault without an op or session. */
    public static Fault of(FaultKind kind, String message) {
        return Fault.newBuilder().setKind(kind.code()).setMessage(message).build();
    }

    /** Makes the fault of an exception, without an op or session. */
    public static Fault of(OutpostException exception) {
        return of(exception.kind(), exception.code(), String.valueOf(exception.getMessage()));
    }

    /** Makes a fault without an op or session. */
    public static Fault of(FaultKind kind, FaultCode code, String message) {
        return Fault.newBuilder()
                .setKind(kind.code())
                .setCode(code.number())
                .setMessage(message)
                .build();
    }

    /** Makes the exception of a fault. */
    public static OutpostException exception(Fault fault) {
        return new OutpostException(kind(fault), code(fault), fault.getMessage(), null);
    }

    /** Returns the code of a fault. */
    public static FaultCode code(Fault fault) {
        return FaultCode.ofNumber(fault.getCode());
    }

    /** Returns the kind of a fault. */
    public static FaultKind kind(Fault fault) {
        return FaultKind.ofCode(fault.getKind());
    }

    /**
     * Returns a copy that is safe to show in exceptions, logs and terminals. Throws MalformedException if the kind is
     * unknown.
     */
    public static Fault clean(Fault fault) {
        FaultKind.ofCode(fault.getKind());
        return fault.toBuilder()
                .setOp(PeerText.clean(fault.getOp(), MAX_OF_A_NAME))
                .setMessage(PeerText.clean(fault.getMessage(), MAX_OF_A_TEXT))
                .setSource(PeerText.clean(fault.getSource(), MAX_OF_A_TEXT))
                .build();
    }
}
