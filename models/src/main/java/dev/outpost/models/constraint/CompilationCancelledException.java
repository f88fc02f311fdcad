package dev.outpost.models.constraint;

/** The compilation of a constraint was cancelled by the caller. */
public final class CompilationCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CompilationCancelledException() {
        super("the compilation was cancelled", null, false, false);
    }
}
