package dev.outpost.gpucheck.gpu;

import java.util.List;

/** A machine has computed something else than it should, or kept what it should have given back. */
public final class WrongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> cases;

    public WrongAnswerException(String message) {
        this(message, List.of());
    }

    /** @param cases each that was wrong */
    public WrongAnswerException(String message, List<String> cases) {
        super(message);
        this.cases = List.copyOf(cases);
    }

    public List<String> cases() {
        return cases;
    }
}
