package dev.outpost.types;

/** Thrown for bytes that do not follow the protocol: truncated, oversized, of another version, or out of order. */
public final class MalformedException extends OutpostException {
    public MalformedException(String problem) {
        super(FaultKind.USER, "malformed input: " + problem);
    }
}
