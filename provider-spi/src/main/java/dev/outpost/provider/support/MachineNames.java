package dev.outpost.provider.support;

import dev.outpost.provider.GpuType;
import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Draws the ids of machines, such as {@code outpost-a100-x7k2m9qd}: DNS labels that leave room for a pod's suffix. */
public final class MachineNames {
    private static final String PREFIX = "outpost-";
    private static final int RANDOM_LETTERS = 8;

    /** Crockford's base 32. It has no i, l, o and u, which look like digits or form words. */
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

    private static final int LONGEST_GPU = 40;

    private final RandomGenerator random;

    public MachineNames(RandomGenerator random) {
        this.random = Objects.requireNonNull(random, "random");
    }

    /** Draws an id. With a thousand existing machines, one draw in a billion collides. */
    public String draw(GpuType gpu) {
        return PREFIX + word(gpu.name()) + "-" + letters();
    }

    private static String word(String name) {
        String word = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String cut = word.substring(0, Math.min(word.length(), LONGEST_GPU)).replaceAll("^-+|-+$", "");
        return cut.isEmpty() ? "gpu" : cut;
    }

    private String letters() {
        return random.ints(RANDOM_LETTERS, 0, ALPHABET.length())
                .mapToObj(index -> ALPHABET.substring(index, index + 1))
                .collect(Collectors.joining());
    }
}
