package dev.outpost.runtime.cuda.compile;

/** Thrown if the compiler rejects a kernel. */
public final class CompilationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String log;

    CompilationException(String message, String log) {
        super(message + "\n" + log);
        this.log = log;
    }

    /** Returns the compiler's messages, with lines of the source. */
    public String log() {
        return log;
    }
}
