package dev.outpost.runtime.server.lan;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The code that the worker shows. It changes after each pairing. It also changes after five wrong guesses, from whichever addresses, and the
 * worker then pairs with no client for a minute: at that rate it takes decades to try all codes. A worker that was given a token in place of a
 * code keeps it, because it is too long to be guessed. Thread-safe.
 */
public final class PairingCode {
    /** A token set for all workers of a network must be as long as this. */
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

    /** Guesses at the code whose result is not known yet. */
    private int pending;

    private PairingCode(Optional<String> token, LongSupplier nanos, Consumer<String> screen) {
        this.isFixed = token.isPresent();
        this.nanos = nanos;
        this.screen = screen;
        this.code = token.orElseGet(this::draw);
    }

    /**
     * A code, shown from now on.
     *
     * @param token what is taken in place of a code; it is not shown
     * @param nanos a monotonic clock
     * @param screen shows a code whenever there is another one
     */
    public static PairingCode show(Optional<String> token, LongSupplier nanos, Consumer<String> screen) {
        token.filter(text -> text.length() < MIN_TOKEN).ifPresent(text -> {
            throw new IllegalArgumentException(
                    "outpost.runtime.lan.token: expected " + MIN_TOKEN + " characters or more, got " + text.length());
        });
        PairingCode code = new PairingCode(token, nanos, screen);
        if (!code.isFixed) {
            screen.accept(code.code);
        }
        return code;
    }

    synchronized String current() {
        return code;
    }

    /** How long the worker pairs with no client; empty if it does now. */
    synchronized Optional<Duration> closedFor() {
        return closedUntil.map(end -> Duration.ofNanos(end - nanos.getAsLong())).filter(Duration::isPositive);
    }

    /** A time as it is shown to a person who has to wait for it. */
    static long wholeSeconds(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }

    /**
     * Begins a guess at a code. {@link #used}, {@link #guessed} or {@link #dropped} ends it. Guesses whose result is not known count as wrong
     * ones, so conversations at the same time allow no further guesses.
     *
     * @return false if the code has changed, or if it has no guess left
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
     * A client knew the code, which changes.
     *
     * @return false if the code has changed before, so that the client may not be paired by it
     */
    synchronized boolean used(String used) {
        if (!used.equals(code)) {
            return false;
        }
        change();
        return true;
    }

    /** A client did not know the code. */
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

    /** A client knew the code and was not paired. */
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
