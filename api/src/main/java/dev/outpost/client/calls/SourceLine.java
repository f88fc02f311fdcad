package dev.outpost.client.calls;

import java.util.List;
import java.util.Locale;

/** Finds the line of the user's program that called the library. */
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
    /** The package whose methods call ops by name. They call typed methods, which have the names of the ops. */
    private static final String BY_NAME = "dev.outpost.vocabulary.";
    /** The method of layers, which is not the name of an op. */
    private static final String OF_A_LAYER = "forward";

    private SourceLine() {}

    /** Returns the innermost frame outside the library, such as {@code Train.java:42}. */
    public static String ofCaller() {
        return WALKER.walk(frames -> frames.filter(frame -> isUsers(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    /**
     * Returns the name of the library's method that the user's code called, as PyTorch would name it. Walks the stack, so it is only for
     * errors.
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
