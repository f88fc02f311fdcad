package dev.outpost.types;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The root of everything that Outpost throws on purpose. */
public class OutpostException extends RuntimeException {
    private final FaultKind kind;

    public OutpostException(FaultKind kind, String message) {
        this(kind, message, null);
    }

    public OutpostException(FaultKind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
    }

    /** The kind of the failure, which says where the remedy lies. */
    public FaultKind kind() {
        return kind;
    }
}
