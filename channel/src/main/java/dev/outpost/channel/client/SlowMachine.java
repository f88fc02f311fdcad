package dev.outpost.channel.client;

import java.time.Duration;
import java.util.Locale;

/** The message for a machine that does not answer in time. */
public final class SlowMachine {
    /** The environment variable for the maximum time of a connection attempt, such as {@code 30s}. */
    public static final String VARIABLE = "OUTPOST_CONNECT_TIMEOUT";

    private SlowMachine() {}

    /**
     * Returns a sentence with the likely causes and the remedy.
     *
     * @param machine its name or address
     * @param timeout the time in which it did not answer
     */
    public static String sentence(String machine, Duration timeout) {
        return machine + " did not answer within " + text(timeout)
                + "; it may be busy or still starting, or a firewall drops the connection. " + VARIABLE
                + " or MachineOptions.connectTimeout waits longer";
    }

    private static String text(Duration timeout) {
        double seconds = timeout.toMillis() / 1e3;
        return seconds == Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : timeout.toMillis() + " ms";
    }
}
