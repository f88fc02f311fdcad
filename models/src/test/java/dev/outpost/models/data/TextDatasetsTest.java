package dev.outpost.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.data.DataLoader;
import dev.outpost.data.Dataset;
import dev.outpost.models.Tokenizer;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class TextDatasetsTest {
    record Review(String text, int stars) {}

    @TempDir
    private Path folder;

    @Test
    void linesOfJsonAreRecords() throws IOException {
        Path file = write("""
                {"text": "good – très bon", "stars": 5, "more": [1]}

                {"text": "bad", "stars": 1}
                {"text": "last", "stars": 2}""");
        Dataset<Review> reviews = JsonLinesFile.open(file, Review.class);
        assertEquals(3, reviews.size());
        assertEquals(new Review("last", 2), reviews.item(2));
        assertEquals(new Review("good – très bon", 5), reviews.item(0));
        assertThrows(IndexOutOfBoundsException.class, () -> reviews.item(3));
        assertEquals(Map.of("text", "bad", "stars", 1), JsonLinesFile.open(file).item(1));
        assertEquals(0, JsonLinesFile.open(write("\n\n")).size());
    }

    @Test
    void aWrongLineIsNamed() throws IOException {
        Path file = write("{\"text\": \"a\", \"stars\": 1}\n\n{\"text\": \"b\"}\n{\"text\": 1 2}\n");
        Dataset<Review> reviews = JsonLinesFile.open(file, Review.class);
        String missing =
                assertThrows(OutpostException.class, () -> reviews.item(1)).getMessage();
        assertEquals(true, missing.startsWith("data: " + file + ", line 3: "), missing);
        OutpostException malformed = assertThrows(OutpostException.class, () -> reviews.item(2));
        assertEquals(true, malformed.getMessage().startsWith("data: " + file + ", line 4: "), malformed::getMessage);
        assertThrows(UncheckedIOException.class, () -> JsonLinesFile.open(folder.resolve("none")));
    }

    record House(double area, int rooms, String place) {}

    @Test
    void rowsOfCsvAreRecords() throws IOException {
        Path file = Files.writeString(folder.resolve("houses.csv"), """
                place,area, rooms,year
                "Bonn, the ""centre"" of it",80.5,3,1990

                Köln,60,2,
                """);
        Dataset<House> houses = CsvFile.read(file, House.class);
        assertEquals(2, houses.size());
        assertEquals(new House(80.5, 3, "Bonn, the \"centre\" of it"), houses.item(0));
        assertEquals("1990", CsvFile.read(file).item(0).get("year"));
        Files.writeString(file, "place,area,rooms\nBonn,80,three\n");
        OutpostException wrong = assertThrows(OutpostException.class, () -> CsvFile.read(file, House.class));
        assertEquals(true, wrong.getMessage().startsWith("data: " + file + ", line 2: "), wrong::getMessage);
        assertThrows(UncheckedIOException.class, () -> CsvFile.read(folder.resolve("none.csv")));
    }

    record Sale(Integer count, String place) {}

    /** Spreadsheets write a byte order mark. */
    @Test
    void aByteOrderMarkIsNoPartOfAColumn() throws IOException {
        Path file = Files.writeString(folder.resolve("sales.csv"), "\uFEFFcount,place\n1,Köln\n,\n");
        Dataset<Sale> sales = CsvFile.read(file, Sale.class);
        assertEquals(new Sale(1, "Köln"), sales.item(0));
        assertEquals(new Sale(null, ""), sales.item(1));
        Map<String, Object> batch =
                new DataLoader<>(CsvFile.read(file), 2).iterator().next();
        assertEquals(Map.of("count", List.of("1", ""), "place", List.of("Köln", "")), batch);
    }

    @Test
    void textsOfDifferentLengthsArePadded() {
        Dataset<int[]> tokens = Dataset.of(List.of(new int[] {5, 6, 7}, new int[] {8}, new int[] {}));
        Tokens.Padded batch =
                new DataLoader<>(tokens, 3, Tokens.padded(9)).iterator().next();
        assertEquals(HostTensor.of(new long[] {5, 6, 7, 8, 9, 9, 9, 9, 9}, 3, 3), batch.ids());
        assertEquals(
                HostTensor.of(new boolean[] {true, true, true, true, false, false, false, false, false}, 3, 3),
                batch.mask());
        assertEquals(HostTensor.of(new long[] {3, 1, 0}), batch.lengths());
    }

    @Test
    void textsAreTokenizedAndCut() throws Exception {
        String place = "file:"
                + Path.of(TextDatasetsTest.class
                        .getResource("/fixtures/tokenizer_bert")
                        .toURI());
        try (RemoteMachine machine = RemoteMachine.of("mock", "any", new MachineOptions().option("sources", place));
                Tokenizer tokenizer = Tokenizer.of(machine.open(place))) {
            Dataset<String> texts = Dataset.of(List.of("one two three four"));
            int[] whole = Tokens.of(texts, tokenizer, 100).item(0);
            assertArrayEquals(tokenizer.encode("one two three four"), whole);
            assertArrayEquals(
                    new int[] {whole[0], whole[1]},
                    Tokens.of(texts, tokenizer, 2).item(0));
            assertThrows(OutpostException.class, () -> Tokens.of(texts, tokenizer, 0));
        }
    }

    private Path write(String lines) throws IOException {
        return Files.writeString(folder.resolve("data.jsonl"), lines);
    }
}
