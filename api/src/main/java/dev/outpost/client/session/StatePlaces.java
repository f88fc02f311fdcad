package dev.outpost.client.session;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StatePlace;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** The places of a machine's states, their key, and the number of the latest state. Thread-safe. */
final class StatePlaces {
    private static final int KEY_BYTES = 32;
    private static final int MAX_NAME = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private String name;
    private ByteString key;
    /** The number of the latest request. Each request has a new number, because an earlier one may still be writing. */
    private long attempts;
    /** The number of the state that was saved last; 0 before the first. */
    private long latest;

    private StatePlace latestPlace = StatePlace.getDefaultInstance();

    /** @param machine the machine's name, which the name of its states begins with */
    StatePlaces(String machine) {
        String plain = machine.replaceAll("[^A-Za-z0-9_.-]", "-").replaceFirst("^[^A-Za-z0-9]", "m");
        name = plain.substring(0, Math.min(plain.length(), MAX_NAME)) + "-"
                + HexFormat.of().formatHex(random(8));
        key = secret();
    }

    /** Returns new secret bytes. */
    static ByteString secret() {
        return ByteString.copyFrom(random(KEY_BYTES));
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Returns the request for the next state. Only a state in the same store can be its predecessor. */
    synchronized SaveState.Builder next(String uri) {
        attempts++;
        return SaveState.newBuilder()
                .setPlace(in(uri))
                .setNumber(attempts)
                .setPrevious(latestPlace.getUri().equals(uri) ? latest : 0);
    }

    /** Returns the place of the states in a store, for the key of the session. */
    synchronized StatePlace in(String uri) {
        return StatePlace.newBuilder().setUri(uri).setName(name).setKey(key).build();
    }

    /** Returns the highest number that was requested. */
    synchronized long attempts() {
        return attempts;
    }

    /** Continues the states of another client. */
    synchronized void continueFrom(StatePlace place, long lastNumber) {
        if (!place.getName().isEmpty()) {
            name = place.getName();
            key = place.getKey();
        }
        attempts = Math.max(attempts, lastNumber);
    }

    /** Records that a state was saved. */
    synchronized void saved(SaveState.Builder state) {
        latestPlace = state.getPlace();
        latest = state.getNumber();
    }

    /**
     * Returns the request that deletes the states before the latest one.
     *
     * @param all true to delete the latest state too
     * @return empty if there is nothing to delete
     */
    synchronized Optional<DeleteStates.Builder> deletion(boolean all) {
        if (latest == 0 || attempts == 1 && !all) {
            return Optional.empty();
        }
        return Optional.of(DeleteStates.newBuilder()
                .setPlace(latestPlace)
                .setNumber(latest)
                .setAll(all));
    }

    /** Returns the request that restores the latest state. */
    synchronized RestoreState.Builder latest() {
        return RestoreState.newBuilder().setPlace(latestPlace).setNumber(latest);
    }
}
