package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.EngineUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.DateTimeException;
import java.util.List;

/** Says why a machine cannot serve, or not go on. */
final class StartFailure {
    private final Throwable problem;
    private final Throwable root;

    /** @param problem what was thrown; its root cause is what is told */
    StartFailure(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        this.problem = problem;
        this.root = cause;
    }

    /** The reason in one sentence. Some exceptions have no message; then it is the name of their class. */
    String sentence() {
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    /** The lines for the log: a reason that is to be expected is a sentence, and only a defect of ours shows where it is. */
    List<String> lines() {
        return switch (root) {
            case IOException refused -> explained();
            case IllegalArgumentException bad -> explained();
            case DateTimeException bad -> explained();
            case EngineUnavailableException missing -> explained();
            default -> stackTrace();
        };
    }

    private List<String> explained() {
        return List.of("outpost runtime: " + sentence());
    }

    private List<String> stackTrace() {
        StringWriter text = new StringWriter();
        problem.printStackTrace(new PrintWriter(text, true));
        return text.toString().lines().toList();
    }
}
