package dev.outpost.models.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.data.Dataset;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * A file with a JSON object in each line, of any size: only the positions of lines are in memory, and an element is read when it is asked for.
 * Empty lines are left out. The file must not change. Thread-safe.
 *
 * <pre>{@code
 * record Review(String text, int stars) {}
 * Dataset<Review> reviews = JsonLinesFile.open(Path.of("reviews.jsonl"), Review.class);
 * }</pre>
 *
 * @param <T> an element
 */
public final class JsonLinesFile<T> implements Dataset<T> {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path file;
    private final JavaType type;
    private final LineIndex lines;

    private JsonLinesFile(Path file, JavaType type) {
        this.file = file;
        this.type = type;
        try {
            lines = LineIndex.of(file);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    /** Reads lines as maps, with numbers, text, lists and maps as values. */
    public static JsonLinesFile<Map<String, Object>> open(Path file) {
        return new JsonLinesFile<>(file, MAPPER.constructType(new TypeReference<Map<String, Object>>() {}));
    }

    /**
     * Reads lines as records. Members without a component are left out; a missing one is null, and refused for a number.
     *
     * @param type a record, or another class that Jackson makes
     */
    public static <T> JsonLinesFile<T> open(Path file, Class<T> type) {
        return new JsonLinesFile<>(file, MAPPER.constructType(type));
    }

    @Override
    public int size() {
        return lines.size;
    }

    @Override
    public T item(int index) {
        Objects.checkIndex(index, lines.size);
        byte[] line = new byte[Math.toIntExact(lines.ends[index] - lines.starts[index])];
        // A file for each read: an interrupt of a reading thread would close a channel that threads share.
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            opened.seek(lines.starts[index]);
            opened.readFully(line);
            return MAPPER.readValue(line, type);
        } catch (JsonProcessingException failure) {
            throw new OutpostException(
                    FaultKind.USER,
                    "data: " + file + ", line " + lines.numbers[index] + ": " + failure.getOriginalMessage(),
                    failure);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    private UncheckedIOException unreadable(IOException failure) {
        return new UncheckedIOException("data: " + file + " cannot be read", failure);
    }

    /** The positions of the lines that are not empty. */
    private static final class LineIndex {
        private long[] starts = new long[1024];
        private long[] ends = new long[1024];
        private int[] numbers = new int[1024];
        private int size;

        static LineIndex of(Path file) throws IOException {
            LineIndex index = new LineIndex();
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
                long position = 0;
                long start = 0;
                int number = 1;
                boolean isEmpty = true;
                for (int next = in.read(); next >= 0; next = in.read()) {
                    if (next == '\n') {
                        index.add(start, position, number++, isEmpty);
                        start = position + 1;
                        isEmpty = true;
                    } else if (next > ' ') {
                        isEmpty = false;
                    }
                    position++;
                }
                index.add(start, position, number, isEmpty);
            }
            return index;
        }

        private void add(long start, long end, int number, boolean isEmpty) {
            if (isEmpty) {
                return;
            }
            if (size == starts.length) {
                starts = Arrays.copyOf(starts, 2 * size);
                ends = Arrays.copyOf(ends, 2 * size);
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            starts[size] = start;
            ends[size] = end;
            numbers[size++] = number;
        }
    }
}
