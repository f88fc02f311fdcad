package dev.outpost.client;

import java.util.List;

/** Where in the user's program an instruction was recorded. */
final class SourceLine {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = "dev.outpost.";
    private static final List<String> THEIRS =
            List.of("dev.outpost.examples.", "dev.outpost.cli.", "dev.outpost.system.");

    private SourceLine() {}

    /** The innermost frame outside the library, as {@code Train.java:42}. */
    static String ofCaller() {
        return WALKER.walk(frames -> frames.filter(frame -> isUsers(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    private static boolean isUsers(String className) {
        return !className.startsWith(OURS) || THEIRS.stream().anyMatch(className::startsWith);
    }
}
