package dev.outpost.types;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The superclass of all exceptions that Outpost throws on purpose. */
public class OutpostException extends RuntimeException {
    private final FaultKind kind;
    private final FaultCode code;

    public OutpostException(FaultKind kind, String message) {
        this(kind, message, null);
    }

    public OutpostException(FaultKind kind, String message, @Nullable Throwable cause) {
        this(kind, FaultCode.NONE, message, cause);
    }

    public OutpostException(FaultKind kind, FaultCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
        this.code = Objects.requireNonNull(code);
    }

    /** Returns the kind of the failure, which says which party can remedy it. */
    public FaultKind kind() {
        return kind;
    }

    /** Returns the code of a failure that programs may want to handle; {@link FaultCode#NONE} for all others. */
    public FaultCode code() {
        return code;
    }
}
