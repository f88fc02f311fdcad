package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.EngineUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.DateTimeException;
import java.util.List;

/** Reports why a machine cannot serve, or cannot continue. */
final class StartFailure {
    private final Throwable problem;
    private final Throwable root;

    /** @param problem the thrown exception, whose root cause is reported */
    StartFailure(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        this.problem = problem;
        this.root = cause;
    }

    /** Returns the reason in one sentence, or the class name if the exception has no message. */
    String sentence() {
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    /** Returns the lines for the log: one sentence for an expected reason, and a stack trace only for a defect of Outpost. */
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
