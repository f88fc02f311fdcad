package dev.outpost.gpucheck.gpu;

import java.util.List;

/** Thrown if a machine computed a wrong result, or kept memory that it should have released. */
public final class WrongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> cases;

    public WrongAnswerException(String message) {
        this(message, List.of());
    }

    /** @param cases the wrong cases */
    public WrongAnswerException(String message, List<String> cases) {
        super(message);
        this.cases = List.copyOf(cases);
    }

    public List<String> cases() {
        return cases;
    }
}
