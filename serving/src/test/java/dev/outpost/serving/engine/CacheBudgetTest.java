package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.serving.engine.CacheBudget.Need;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheBudgetTest {
    private static final Need LARGE = new Need("large", 1024, 300);
    private static final Need SMALL = new Need("small", 512, 100);
    /** A block of 16 tokens per model, which belongs to no text. */
    private static final long SPARE = 16 * (300 + 100);

    private static final long TEXT = 1024 * 300 + 512 * 100;

    /** Returns the tokens of the cache of each model. */
    private static List<Long> tokens(long bytes) {
        return CacheBudget.divide(bytes, List.of(LARGE, SMALL), 16).stream()
                .map(CacheBudget.Room::cacheTokens)
                .toList();
    }

    @Test
    void eachModelHasRoomForAsManyWholeTexts() {
        assertEquals(List.of(1024L, 512L), tokens(TEXT + SPARE));
        assertEquals(List.of(5 * 1024L, 5 * 512L), tokens(5 * TEXT + SPARE));
    }

    @Test
    void roomIsWholeBlocksAndNoMoreThanTheMemory() {
        for (long bytes = TEXT + SPARE; bytes < 3 * TEXT; bytes += 12_345) {
            List<Long> tokens = tokens(bytes);
            assertEquals(0, tokens.getFirst() % 16);
            assertEquals(0, tokens.getLast() % 16);
            long taken = (tokens.getFirst() + 16) * 300 + (tokens.getLast() + 16) * 100;
            assertTrue(taken <= bytes, taken + " bytes of " + bytes);
            assertTrue(taken > bytes - 2 * 16 * (300 + 100), taken + " bytes of " + bytes);
        }
    }

    @Test
    void lessThanATextOfEachIsRefusedWithBoth() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> CacheBudget.divide(TEXT + SPARE - 1, List.of(LARGE, SMALL), 16));
        assertEquals(
                "cache-memory: a text of each model takes 364800 bytes (large 1024 tokens of 300 bytes, small 512 tokens of"
                        + " 100 bytes), got 364799; give more, or fewer text-tokens",
                refused.getMessage());
    }

    @Test
    void derivedTextsAreAsLongAsTheModelsAllowWhereThereIsMemory() {
        assertEquals(
                List.of(new CacheBudget.Room(1024, 4 * 1024), new CacheBudget.Room(512, 4 * 512)),
                CacheBudget.derive(100 * TEXT, List.of(LARGE, SMALL), 4, 16));
    }

    @Test
    void derivedTextsAreShorterWhereMemoryIsShort() {
        List<CacheBudget.Room> rooms = CacheBudget.derive(TEXT / 2 + SPARE, List.of(LARGE, SMALL), 1, 16);
        assertEquals(List.of(new CacheBudget.Room(512, 512), new CacheBudget.Room(256, 256)), rooms);
        assertThrows(
                IllegalArgumentException.class,
                () -> CacheBudget.derive(TEXT / 10 + SPARE, List.of(LARGE, SMALL), 1, 16));
    }
}
