package dev.outpost.runtime.server.lan;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits the addresses from which clients pair. An address can have one conversation at a time. After a wrong guess
 * it has to pause, and the pause doubles with each further wrong guess. So a caller that stays silent or guesses does
 * not delay other addresses. Thread-safe.
 */
final class PairingCallers {
    /** The maximum number of conversations of all addresses together. */
    static final int MAX_CONVERSATIONS = 64;

    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration MAX_PAUSE = Duration.ofMinutes(10);

    /** The maximum number of addresses whose wrong guesses are stored. The oldest one is dropped first. */
    static final int MAX_ADDRESSES = 1024;

    /** The time after the last wrong guess of an address until the address is forgotten. */
    private static final Duration MEMORY = Duration.ofHours(1);

    private final LongSupplier nanos;
    private final Set<String> conversing = new HashSet<>();

    /** The callers by address, in the order of their last wrong guesses. */
    private final Map<String, WrongGuesses> guesses = new LinkedHashMap<>();

    private record WrongGuesses(long lastNanos, Duration pause) {}

    /** @param nanos a monotonic clock */
    PairingCallers(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Begins a conversation of an address, which {@link #leave} ends. Returns the reason if the address may not begin
     * one now, otherwise empty.
     */
    synchronized Optional<String> enter(String address) {
        Duration left = pauseLeft(address);
        if (left.isPositive()) {
            return Optional.of(
                    "wrong codes came from " + address + "; try again in " + PairingCode.wholeSeconds(left) + " s");
        }
        if (conversing.contains(address)) {
            return Optional.of("another client at " + address + " is being paired; try again when it is done");
        }
        if (conversing.size() >= MAX_CONVERSATIONS) {
            return Optional.of("too many clients are being paired; try again in a few seconds");
        }
        conversing.add(address);
        return Optional.empty();
    }

    synchronized void leave(String address) {
        conversing.remove(address);
    }

    synchronized void wrong(String address) {
        long now = nanos.getAsLong();
        forget(now);
        WrongGuesses before = guesses.remove(address);
        Duration pause = before == null ? FIRST_PAUSE : before.pause().multipliedBy(2);
        guesses.put(address, new WrongGuesses(now, pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause));
    }

    /** Records that an address was paired. */
    synchronized void right(String address) {
        guesses.remove(address);
    }

    private Duration pauseLeft(String address) {
        WrongGuesses known = guesses.get(address);
        return known == null ? Duration.ZERO : known.pause().minusNanos(nanos.getAsLong() - known.lastNanos());
    }

    private void forget(long now) {
        Iterator<WrongGuesses> oldest = guesses.values().iterator();
        while (oldest.hasNext()) {
            boolean isOld = now - oldest.next().lastNanos() > MEMORY.toNanos();
            if (!isOld && guesses.size() < MAX_ADDRESSES) {
                return;
            }
            oldest.remove();
        }
    }
}
