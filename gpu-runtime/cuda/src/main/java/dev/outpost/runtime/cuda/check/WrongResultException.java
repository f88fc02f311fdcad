package dev.outpost.runtime.cuda.check;

import java.util.List;

/** Thrown if the GPU has computed a wrong result. */
final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> cases;

    WrongResultException(String message) {
        this(message, List.of());
    }

    WrongResultException(String message, List<String> cases) {
        super(message);
        this.cases = List.copyOf(cases);
    }

    List<String> cases() {
        return cases;
    }
}
