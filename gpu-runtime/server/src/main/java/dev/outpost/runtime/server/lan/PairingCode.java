package dev.outpost.runtime.server.lan;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The code that the worker shows. It changes after each pairing. It also changes after five wrong guesses, no matter
 * from which addresses, and then the worker refuses to pair for a minute. At that rate it takes decades to try all
 * codes. A token that the worker has instead of a code does not change, because it is too long to guess. Thread-safe.
 */
public final class PairingCode {
    /** The minimum number of characters of a token for all workers of a network. */
    public static final int MIN_TOKEN = 16;

    private static final int MAX_WRONG = 5;
    private static final Duration CLOSED = Duration.ofMinutes(1);
    private static final int CODES = 100_000_000;

    private final SecureRandom random = new SecureRandom();
    private final boolean isFixed;
    private final LongSupplier nanos;
    private final Consumer<String> screen;
    private Optional<Long> closedUntil = Optional.empty();
    private String code;
    private int wrong;

    /** The number of guesses whose result is not known yet. */
    private int pending;

    private PairingCode(@Nullable String token, LongSupplier nanos, Consumer<String> screen) {
        this.isFixed = token != null;
        this.nanos = nanos;
        this.screen = screen;
        this.code = isFixed ? token : draw();
    }

    /**
     * Creates a code, and shows it.
     *
     * @param token replaces the code, and is not shown; null for a code
     * @param nanos a monotonic clock in nanoseconds
     * @param screen shows each new code
     */
    public static PairingCode show(@Nullable String token, LongSupplier nanos, Consumer<String> screen) {
        if (token != null && token.length() < MIN_TOKEN) {
            throw new IllegalArgumentException(
                    "outpost.runtime.lan.token: expected " + MIN_TOKEN + " characters or more, got " + token.length());
        }
        PairingCode code = new PairingCode(token, nanos, screen);
        if (!code.isFixed) {
            screen.accept(code.code);
        }
        return code;
    }

    synchronized String current() {
        return code;
    }

    /** Returns the remaining time for which the worker refuses to pair; empty if it accepts clients now. */
    synchronized Optional<Duration> closedFor() {
        return closedUntil.map(end -> Duration.ofNanos(end - nanos.getAsLong())).filter(Duration::isPositive);
    }

    /** Returns a time in seconds, in the form that is shown to a waiting person. */
    static long wholeSeconds(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }

    /**
     * Begins a guess at a code. {@link #used}, {@link #guessed} or {@link #dropped} ends it. A guess whose result is
     * not known yet counts as wrong, so concurrent conversations get no additional guesses.
     *
     * @return false if the code has changed, or if no guess at it is left
     */
    synchronized boolean begin(String guessed) {
        if (isFixed) {
            return true;
        }
        boolean isAllowed = guessed.equals(code) && wrong + pending < MAX_WRONG;
        if (isAllowed) {
            pending++;
        }
        return isAllowed;
    }

    /**
     * Records that a client knew the code, and changes the code.
     *
     * @return false if the code had changed before, so the client must not be paired
     */
    synchronized boolean used(String used) {
        if (!used.equals(code)) {
            return false;
        }
        change();
        return true;
    }

    /** Records that a client did not know the code. */
    synchronized void guessed(String guessed) {
        if (!guessed.equals(code) || isFixed) {
            return;
        }
        dropped(guessed);
        if (++wrong >= MAX_WRONG) {
            closedUntil = Optional.of(nanos.getAsLong() + CLOSED.toNanos());
            change();
        }
    }

    /** Records that a client knew the code but was not paired. */
    synchronized void dropped(String guessed) {
        if (guessed.equals(code) && pending > 0) {
            pending--;
        }
    }

    private void change() {
        if (!isFixed) {
            code = draw();
            wrong = 0;
            pending = 0;
            screen.accept(code);
        }
    }

    private String draw() {
        String digits = String.format("%08d", random.nextInt(CODES));
        return digits.substring(0, 4) + "-" + digits.substring(4);
    }
}
