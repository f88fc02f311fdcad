package dev.outpost.client.calls;

import java.util.List;
import java.util.Locale;

/** Where in the user's program the library was called. */
public final class SourceLine {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = "dev.outpost.";
    private static final List<String> THEIRS = List.of(
            "dev.outpost.examples.",
            "dev.outpost.cli.",
            "dev.outpost.system.",
            "dev.outpost.torch.",
            "dev.outpost.gpucheck.");
    private static final List<String> JDK = List.of("java.", "jdk.");
    /** Calls by name go through to typed methods, which have the name. */
    private static final String BY_NAME = "dev.outpost.vocabulary.";
    /** Results of a layer have a name of their own. */
    private static final String OF_A_LAYER = "forward";

    private SourceLine() {}

    /** The innermost frame outside the library, as {@code Train.java:42}. */
    public static String ofCaller() {
        return WALKER.walk(frames -> frames.filter(frame -> isUsers(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    /**
     * The outermost of the library's methods that the innermost frame outside called, as PyTorch would name it. Takes a walk over
     * the stack, so it is for errors.
     */
    public static String calledOp() {
        List<String> methods = WALKER.walk(frames -> frames.takeWhile(frame -> !isUsers(frame.getClassName()))
                .filter(frame -> isNamed(frame))
                .map(SourceLine::opName)
                .toList());
        return methods.isEmpty() ? "" : methods.getLast();
    }

    private static boolean isNamed(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith(OURS)
                && !frame.getClassName().startsWith(BY_NAME)
                && !frame.getMethodName().contains("$")
                && !frame.getMethodName().equals(OF_A_LAYER);
    }

    private static String opName(StackWalker.StackFrame frame) {
        String method = frame.getMethodName();
        String className = frame.getClassName();
        String simpleName = className.substring(className.lastIndexOf('.') + 1);
        return switch (method) {
            case "<init>" -> simpleName;
            case "of" -> simpleName + ".of";
            default -> snakeCase(method);
        };
    }

    private static String snakeCase(String method) {
        return method.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static boolean isUsers(String className) {
        return className.startsWith(OURS)
                ? THEIRS.stream().anyMatch(className::startsWith)
                : JDK.stream().noneMatch(className::startsWith);
    }
}
