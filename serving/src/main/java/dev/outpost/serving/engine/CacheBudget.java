package dev.outpost.serving.engine;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Divides the memory for keys and values among the models of a machine: each has room for as many whole texts as any other, so
 * a model with more layers or longer texts has more of the memory.
 */
final class CacheBudget {
    private CacheBudget() {}

    /**
     * A model that has a cache.
     *
     * @param textTokens how many tokens a text of it can have
     * @param bytesPerToken of keys and values, all layers together
     */
    record Need(String name, int textTokens, long bytesPerToken) {
        long textBytes() {
            return textTokens * bytesPerToken;
        }
    }

    /**
     * The tokens that each cache has room for, whole pages, in the order of the needs.
     *
     * @param bytes of all caches together; each has a page besides, which belongs to no text
     * @param pageTokens tokens of a page
     */
    static List<Long> divide(long bytes, List<Need> needs, int pageTokens) {
        long spare = needs.stream()
                .mapToLong(need -> pageTokens * need.bytesPerToken())
                .sum();
        long ofOneText = needs.stream().mapToLong(Need::textBytes).sum();
        if (bytes - spare < ofOneText) {
            throw new IllegalArgumentException("cache-memory: a text of each model takes " + (ofOneText + spare)
                    + " bytes (" + needs.stream().map(CacheBudget::described).collect(Collectors.joining(", "))
                    + "), got " + bytes + "; give more, or fewer text-tokens");
        }
        double texts = (double) (bytes - spare) / ofOneText;
        return needs.stream()
                .map(need -> (long) (texts * need.textTokens()) / pageTokens * pageTokens)
                .toList();
    }

    private static String described(Need need) {
        return need.name() + " " + need.textTokens() + " tokens of " + need.bytesPerToken() + " bytes";
    }
}
