package dev.outpost.runtime.server.lan;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The code that the worker shows. It is another one after each pairing. After five wrong guesses it is another one, too, and nobody is paired
 * for a while: at that rate it takes centuries to try all codes. A worker that was given a token in its place keeps that one: it is too long to be guessed. Thread-safe.
 */
public final class PairingCode {
    /** A token set for all workers of a network must be as long as this. */
    public static final int LEAST_TOKEN = 16;

    private static final int MOST_WRONG = 5;
    private static final Duration CLOSED = Duration.ofMinutes(1);
    private static final int CODES = 100_000_000;

    private final SecureRandom random = new SecureRandom();
    private final boolean isFixed;
    private final InstantSource clock;
    private final Consumer<String> screen;
    private Instant closedUntil = Instant.MIN;
    private String code;
    private int wrong;

    private PairingCode(Optional<String> token, InstantSource clock, Consumer<String> screen) {
        this.isFixed = token.isPresent();
        this.clock = clock;
        this.screen = screen;
        this.code = token.orElseGet(this::draw);
    }

    /**
     * A code, shown from now on.
     *
     * @param token what is taken in place of a code; it is not shown
     * @param clock tells when guesses may go on
     * @param screen shows a code whenever there is another one
     */
    public static PairingCode show(Optional<String> token, InstantSource clock, Consumer<String> screen) {
        token.filter(text -> text.length() < LEAST_TOKEN).ifPresent(text -> {
            throw new IllegalArgumentException(
                    "outpost.runtime.lan.token: expected " + LEAST_TOKEN + " characters or more, got " + text.length());
        });
        PairingCode code = new PairingCode(token, clock, screen);
        if (!code.isFixed) {
            screen.accept(code.code);
        }
        return code;
    }

    synchronized String current() {
        return code;
    }

    /** How long nobody is paired; nothing where that may be. */
    synchronized Optional<Duration> closedFor() {
        Instant now = clock.instant();
        return closedUntil.isAfter(now) ? Optional.of(Duration.between(now, closedUntil)) : Optional.empty();
    }

    /** Somebody knew the code that was valid then. */
    synchronized void used(String used) {
        if (used.equals(code)) {
            change();
        }
    }

    /** Somebody did not know the code. */
    synchronized void guessed(String guessed) {
        if (guessed.equals(code) && !isFixed && ++wrong >= MOST_WRONG) {
            closedUntil = clock.instant().plus(CLOSED);
            change();
        }
    }

    private void change() {
        if (!isFixed) {
            code = draw();
            wrong = 0;
            screen.accept(code);
        }
    }

    private String draw() {
        String digits = String.format("%08d", random.nextInt(CODES));
        return digits.substring(0, 4) + "-" + digits.substring(4);
    }
}
