package dev.outpost.provider.support;

/** An action for the end of the JVM, unless it was done before. */
public final class ExitHook {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * @param action what is done in the end, or at once when that has begun already; bounded, since the JVM waits for it
     */
    public static ExitHook of(String name, Runnable action) {
        ExitHook hook = new ExitHook(new Thread(action, name));
        try {
            Runtime.getRuntime().addShutdownHook(hook.thread);
        } catch (IllegalStateException ignored) {
            hook.thread.start();
        }
        return hook;
    }

    /** It was done, or is not to be done any more. */
    public void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException ignored) {
            // Then it runs, and finds nothing to do.
        }
    }
}
