package dev.outpost.types;

/** Thrown if the machine that held these values was lost, and the values with it. The message contains the reason. */
public final class MachineLostException extends OutpostException {
    public MachineLostException(String message, Throwable cause) {
        this(FaultCode.NONE, message, cause);
    }

    public MachineLostException(FaultCode code, String message, Throwable cause) {
        super(FaultKind.EXTERNAL, code, message, cause);
    }
}
