package dev.outpost.client;

import java.util.List;
import java.util.Locale;

/** Where in the user's program the library was called. */
public final class SourceLine {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = "dev.outpost.";
    private static final List<String> THEIRS =
            List.of("dev.outpost.examples.", "dev.outpost.cli.", "dev.outpost.system.");

    private SourceLine() {}

    /** The innermost frame outside the library, as {@code Train.java:42}. */
    public static String ofCaller() {
        return WALKER.walk(frames -> frames.filter(frame -> isUsers(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    /** The outermost of the library's methods that the innermost frame outside called, as PyTorch would name it. */
    public static String calledOp() {
        List<String> methods = WALKER.walk(frames -> frames.takeWhile(frame -> !isUsers(frame.getClassName()))
                .map(frame -> frame.getMethodName())
                .toList());
        return methods.isEmpty() ? "" : snakeCase(methods.getLast());
    }

    private static String snakeCase(String method) {
        return method.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static boolean isUsers(String className) {
        return !className.startsWith(OURS) || THEIRS.stream().anyMatch(className::startsWith);
    }
}
