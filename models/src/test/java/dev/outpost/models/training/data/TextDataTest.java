package dev.outpost.models.training.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of numbers become rows; a line's first number is a prompt, and not learned. */
class TextDataTest {
    private static final TextFormat NUMBERS = line -> {
        try {
            int[] ids =
                    Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
            return TokenizedText.behind(1, ids);
        } catch (NumberFormatException ignored) {
            throw new OutpostException(FaultKind.USER, "no number: " + line);
        }
    };

    private static DataFile file(String name, String text) {
        return DataFile.of(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Three files with 300 numbered lines of one to seven numbers; the last has no end of line. */
    private static List<DataFile> files() {
        List<DataFile> files = new ArrayList<>();
        for (int file = 0; file < 3; file++) {
            StringBuilder text = new StringBuilder();
            for (int line = 0; line < 100; line++) {
                int number = 100 * file + line;
                text.append(number);
                text.append((" " + number).repeat(number % 7));
                text.append(line % 10 == 0 ? "\r\n\n" : "\n");
            }
            files.add(file("file" + file, text.toString().stripTrailing()));
        }
        return files;
    }

    private static TextData data(int rows, int tokens, boolean isPacked, OptionalLong seed) {
        return new TextData(files(), NUMBERS, new TextData.Shape(rows, tokens, isPacked), seed, 100, 3);
    }

    /** Wherever blocks are cut, each line is read once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 100, 1000, 1 << 20})
    void eachLineIsReadOnceWhateverTheSizeOfBlocks(int blockBytes) {
        RecordWindows windows = new RecordWindows(files(), OptionalLong.of(3), blockBytes, 5);
        List<Integer> first = new ArrayList<>();
        for (long window = 0; window < windows.windows(); window++) {
            windows.window(0, window)
                    .forEach(record -> first.add(Integer.parseInt(record.text().split(" ")[0])));
        }
        assertEquals(300, first.size());
        assertEquals(IntStream.range(0, 300).boxed().toList(), List.copyOf(new TreeSet<>(first)));
        assertNotEquals(IntStream.range(0, 300).boxed().toList(), first);
    }

    @Test
    void linesComeInTheOrderOfTheFilesWithoutASeed() {
        RecordWindows windows = new RecordWindows(files(), OptionalLong.empty(), 50, 4);
        List<Integer> first = new ArrayList<>();
        for (long window = 0; window < windows.windows(); window++) {
            windows.window(1, window)
                    .forEach(record -> first.add(Integer.parseInt(record.text().split(" ")[0])));
        }
        assertEquals(IntStream.range(0, 300).boxed().toList(), first);
    }

    @Test
    void epochsHaveOrdersOfTheirOwnAndSeedsDecideThem() {
        RecordWindows windows = new RecordWindows(files(), OptionalLong.of(1), 1 << 20, 8);
        assertEquals(windows.window(0, 0), windows.window(0, 0));
        assertNotEquals(windows.window(0, 0), windows.window(1, 0));
        assertNotEquals(windows.window(0, 0), new RecordWindows(files(), OptionalLong.of(2), 1 << 20, 8).window(0, 0));
    }

    @Test
    void textsArePackedWithLabelsPositionsAndNumbers() {
        TextData data = new TextData(
                List.of(file("lines", "1 2 3\n4 5\n6 7 8 9\n")),
                NUMBERS,
                new TextData.Shape(2, 4, true),
                OptionalLong.empty());
        TokenBatch batch = data.next();
        assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7, 8}, batch.ids());
        assertArrayEquals(new int[] {2, 3, -100, 5, -100, 7, 8, 9}, batch.labels());
        assertArrayEquals(new int[] {0, 1, 2, 0, 0, 0, 1, 2}, batch.positions());
        assertArrayEquals(new int[] {1, 1, 1, 2, 1, 2, 2, 2}, batch.texts());
        assertEquals(6, batch.labelCount());
        assertEquals(8, batch.tokenCount());
        // The rest of the last line, and the next epoch.
        assertArrayEquals(new int[] {9, 1, 2, 3, 4, 5, 6, 7}, data.next().ids());
    }

    @Test
    void aTextHasARowOfItsOwnWhereNothingIsPacked() {
        TextData data = new TextData(
                List.of(file("lines", "1 2\n3 4 5 6 7\n8\n")),
                NUMBERS,
                new TextData.Shape(3, 3, false),
                OptionalLong.empty());
        TokenBatch batch = data.next();
        assertArrayEquals(new int[] {1, 2, 0, 3, 4, 5, 8, 0, 0}, batch.ids());
        assertArrayEquals(new int[] {2, -100, -100, 4, 5, 6, -100, -100, -100}, batch.labels());
        assertArrayEquals(new int[] {1, 1, 0, 1, 1, 1, 1, 0, 0}, batch.texts());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dataAtAPositionGivesTheSameBatchesFromThereOn(boolean isPacked) {
        List<TokenBatch> whole = new ArrayList<>();
        List<Map<String, Long>> positions = new ArrayList<>();
        try (PrefetchedData<TokenBatch> data = new PrefetchedData<>(data(3, 16, isPacked, OptionalLong.of(7)))) {
            for (int batch = 0; batch < 260; batch++) {
                positions.add(data.position());
                whole.add(data.next());
            }
            assertTrue(data.epoch() > 2, () -> "" + data.epoch());
            for (int from : List.of(0, 1, 17, 90, 200, 30)) {
                data.moveTo(positions.get(from));
                for (int batch = from; batch < Math.min(from + 8, 260); batch++) {
                    assertArrayEquals(whole.get(batch).ids(), data.next().ids(), "batch " + batch + " from " + from);
                }
            }
        }
    }

    @Test
    void anEpochEndsForAnEvaluation() {
        TextData data = data(4, 32, true, OptionalLong.empty());
        List<TokenBatch> batches = data.epoch(Integer.MAX_VALUE);
        long tokens = batches.stream().mapToLong(TokenBatch::tokenCount).sum();
        long expected = IntStream.range(0, 300).map(number -> 1 + number % 7).sum();
        assertEquals(expected, tokens);
        assertEquals(2, data(4, 32, true, OptionalLong.empty()).epoch(2).size());
    }

    @Test
    void badLineIsNamedWithItsPlace(@TempDir Path folder) throws Exception {
        TextData wrong = new TextData(
                List.of(file("lines", "1 2\nx\n")), NUMBERS, new TextData.Shape(2, 4, true), OptionalLong.empty());
        assertRefused("data: lines at byte 4: no number: x", wrong::next);
        TextData empty = new TextData(
                List.of(file("lines", "\n\n")), NUMBERS, new TextData.Shape(2, 4, true), OptionalLong.empty());
        assertRefused("have no line with a token", empty::next);
        assertRefused("position", () -> data(1, 4, true, OptionalLong.empty()).moveTo(Map.of("epoch", 1L)));
        assertRefused(
                "is of other files",
                () -> data(1, 4, true, OptionalLong.empty())
                        .moveTo(Map.of("epoch", 0L, "window", 99L, "record", 0L, "token", 0L)));
        Files.writeString(folder.resolve("picture.png"), "x");
        assertRefused("there are no files of text", () -> DataFile.local(folder));
        assertRefused("at least 2 tokens", () -> new TextData.Shape(1, 1, true));
    }

    private static void assertRefused(String part, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }
}
