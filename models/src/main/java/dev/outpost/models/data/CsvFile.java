package dev.outpost.models.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.outpost.data.Dataset;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Files of comma-separated values, as datasets in memory. The first line names the columns. Quoted cells may have commas and line breaks.
 *
 * <pre>{@code
 * record House(double area, int rooms, double price) {}
 * Dataset<House> houses = CsvFile.read(Path.of("houses.csv"), House.class);
 * }</pre>
 */
public final class CsvFile {
    private static final CsvMapper MAPPER = CsvMapper.builder()
            .enable(CsvParser.Feature.TRIM_SPACES)
            .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
            .enable(CsvParser.Feature.FAIL_ON_MISSING_HEADER_COLUMNS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final CsvSchema WITH_HEADER = CsvSchema.emptySchema().withHeader();

    private CsvFile() {}

    /** Reads rows as maps of the columns' names to the cells' text. Batches of them have a list for each column. */
    public static Dataset<Map<String, Object>> read(Path file) {
        return read(file, MAPPER.readerForMapOf(Object.class).with(WITH_HEADER));
    }

    /**
     * Reads rows as records. Columns without a component are left out; an empty cell is an empty text, null for a boxed number, and
     * refused for a primitive.
     *
     * @param type a record, or another class that Jackson makes
     */
    public static <T> Dataset<T> read(Path file, Class<T> type) {
        return read(file, MAPPER.readerFor(type).with(WITH_HEADER));
    }

    private static <T> Dataset<T> read(Path file, ObjectReader reader) {
        try (InputStream bytes = Files.newInputStream(file);
                MappingIterator<T> rows = reader.readValues(bytes)) {
            return Dataset.of(rows.readAll());
        } catch (JsonProcessingException failure) {
            int line = failure.getLocation() == null ? 1 : failure.getLocation().getLineNr();
            throw new OutpostException(
                    FaultKind.USER, "data: " + file + ", line " + line + ": " + failure.getOriginalMessage(), failure);
        } catch (IOException failure) {
            throw new UncheckedIOException("data: " + file + " cannot be read", failure);
        }
    }
}
