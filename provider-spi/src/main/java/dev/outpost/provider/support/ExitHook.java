package dev.outpost.provider.support;

/** An action that runs at the end of the JVM, unless it is cancelled before. */
public final class ExitHook {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /** @param action runs at the end of the JVM, or at once if that has already begun; must be bounded, because the JVM waits for it */
    public static ExitHook of(String name, Runnable action) {
        ExitHook hook = new ExitHook(new Thread(action, name));
        try {
            Runtime.getRuntime().addShutdownHook(hook.thread);
        } catch (IllegalStateException ignored) {
            hook.thread.start();
        }
        return hook;
    }

    /** Cancels the action, because it was done or is not needed any more. */
    public void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException ignored) {
            // The JVM is ending. The action runs, and finds nothing to do.
        }
    }
}
