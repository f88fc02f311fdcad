package dev.outpost.serving.engine;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Divides the memory for keys and values among the models of a machine. Each model gets room for the same number of texts of full length,
 * so a model with more layers or longer texts gets more memory.
 */
final class CacheBudget {
    /** The minimum number of tokens that a text must be able to have. A smaller cache is an error. */
    private static final int MIN_TEXT = 256;

    private CacheBudget() {}

    /**
     * A model that has a cache.
     *
     * @param positions the maximum number of tokens of a text of this model
     * @param bytesPerToken the bytes of a token's keys and values in all layers together
     */
    record Need(String name, int positions, long bytesPerToken) {
        long textBytes() {
            return positions * bytesPerToken;
        }
    }

    /**
     * The room for the texts of a model.
     *
     * @param textTokens the maximum number of tokens of a text
     * @param cacheTokens the maximum number of tokens of all texts together
     */
    record Room(int textTokens, long cacheTokens) {}

    /**
     * Derives the longest texts and the sizes of the caches. If the memory suffices, texts may have as many tokens as the model has
     * positions, and a cache has room for a number of such texts. Otherwise the caches of all models shrink by the same factor.
     *
     * @param bytes the memory of all caches together
     * @param wholeTexts the number of texts of full length that a cache should have room for
     */
    static List<Room> derive(long bytes, List<Need> needs, int wholeTexts, int blockSize) {
        long spare = needs.stream()
                .mapToLong(need -> blockSize * need.bytesPerToken())
                .sum();
        double whole = needs.stream()
                .mapToDouble(need -> (double) wholeTexts * need.textBytes())
                .sum();
        double part = Math.min(1, (bytes - spare) / whole);
        return needs.stream()
                .map(need -> {
                    long wanted = (long) wholeTexts * need.positions();
                    long tokens = part == 1 ? wanted : (long) (part * wanted) / blockSize * blockSize;
                    if (tokens < Math.min(MIN_TEXT, need.positions())) {
                        throw new IllegalArgumentException(need.name() + ": there are " + bytes
                                + " bytes for the caches of all models beside their weights, in which a text would have "
                                + Math.max(0, tokens)
                                + " tokens; take a machine with more memory, or set text-tokens and"
                                + " cache-tokens");
                    }
                    return new Room((int) Math.min(need.positions(), tokens), tokens);
                })
                .toList();
    }

    /**
     * Returns the room of each model, in whole blocks and in the order of the needs. Every text may have as many
     * tokens as its model has positions.
     *
     * @param bytes the bytes of all caches together; each also has one block that belongs to no text
     * @param blockSize the number of tokens of a block
     */
    static List<Room> divide(long bytes, List<Need> needs, int blockSize) {
        long spare = needs.stream()
                .mapToLong(need -> blockSize * need.bytesPerToken())
                .sum();
        long ofOneText = needs.stream().mapToLong(Need::textBytes).sum();
        if (bytes - spare < ofOneText) {
            throw new IllegalArgumentException("cache-memory: a text of each model takes " + (ofOneText + spare)
                    + " bytes (" + needs.stream().map(CacheBudget::described).collect(Collectors.joining(", "))
                    + "), got " + bytes + "; give more, or fewer text-tokens");
        }
        double texts = (double) (bytes - spare) / ofOneText;
        return needs.stream()
                .map(need -> new Room(need.positions(), (long) (texts * need.positions()) / blockSize * blockSize))
                .toList();
    }

    private static String described(Need need) {
        return need.name() + " " + need.positions() + " tokens of " + need.bytesPerToken() + " bytes";
    }
}
