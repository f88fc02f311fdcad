package dev.outpost.models.constraint;

/** The caller no longer wants the constraint that is being compiled. */
public final class CompilationCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CompilationCancelledException() {
        super("the compilation was cancelled", null, false, false);
    }
}
