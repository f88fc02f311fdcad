package dev.outpost.simulated.kubernetes.api;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** The five random characters at the end of generated names. */
public final class NameSuffix {
    private static final String CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int LENGTH = 5;

    private NameSuffix() {}

    public static String draw() {
        return ThreadLocalRandom.current()
                .ints(LENGTH, 0, CHARACTERS.length())
                .mapToObj(index -> CHARACTERS.substring(index, index + 1))
                .collect(Collectors.joining());
    }
}
