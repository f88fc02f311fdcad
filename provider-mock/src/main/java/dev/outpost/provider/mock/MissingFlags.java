package dev.outpost.provider.mock;

import dev.outpost.runtime.engine.cpu.threads.NativeAccess;
import dev.outpost.runtime.engine.cpu.vector.VectorApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Prints a sentence on standard error, once, that names missing JVM flags without which the CPU engine is slow.
 * Prints nothing if the program has a logging backend, because the engine's warnings are in the log then.
 */
final class MissingFlags {
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private MissingFlags() {}

    static void reportOnce() {
        if (LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory && !TOLD.getAndSet(true)) {
            sentence(NativeAccess.isAllowed(), VectorApi.isAllowed()).ifPresent(System.err::println);
        }
    }

    /** Returns the sentence; empty if no flag is missing. */
    static Optional<String> sentence(boolean allowsNatives, boolean allowsVectors) {
        List<String> flags = new ArrayList<>();
        if (!allowsNatives) {
            flags.add(NativeAccess.FLAG);
        }
        if (!allowsVectors) {
            flags.add(VectorApi.FLAG);
        }
        if (flags.isEmpty()) {
            return Optional.empty();
        }
        String purpose = allowsNatives
                ? "compute exponentials and their like faster"
                : "multiply large matrices ten times as fast";
        return Optional.of("Outpost: start Java with " + String.join(" ", flags) + " to " + purpose + " on the mock.");
    }
}
