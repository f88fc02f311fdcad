package dev.outpost.gpucheck;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The figures of a check as JSON. */
final class GpuCheckReport {
    private static final String FILE = "gpu-check.json";

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private GpuCheckReport() {}

    /** Writes {@code gpu-check.json} into the folder, and creates the folder if it is missing. */
    static void write(List<CheckResult> results, List<LibrarySearch> searches, Path folder) throws IOException {
        Files.createDirectories(folder);
        GpuCheckReport writer = new GpuCheckReport();
        writer.json.writeValue(folder.resolve(FILE).toFile(), writer.tree(results, searches));
    }

    private ObjectNode tree(List<CheckResult> checks, List<LibrarySearch> searched) {
        ObjectNode tree = json.createObjectNode();
        tree.put("java", Runtime.version().toString());
        ArrayNode results = tree.putArray("results");
        checks.forEach(result -> add(result, results.addObject()));
        ArrayNode searches = tree.putArray("searches");
        searched.forEach(search -> add(search, searches));
        return tree;
    }

    private static void add(CheckResult result, ObjectNode node) {
        node.put("name", result.name());
        node.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
        node.put("detail", result.detail());
        node.put("remedy", result.remedy());
        ObjectNode figures = node.putObject("figures");
        result.figures().forEach(figures::put);
        if (!result.cases().isEmpty()) {
            ArrayNode cases = node.putArray("cases");
            result.cases().forEach(cases::add);
        }
    }

    private static void add(LibrarySearch search, ArrayNode searches) {
        for (LibrarySearch.Attempt attempt : search.attempts()) {
            ObjectNode node = searches.addObject();
            node.put("library", search.library().title());
            node.put("place", attempt.place().origin());
            node.put("folder", attempt.place().folder().map(Path::toString).orElse(""));
            node.put("outcome", attempt.outcome());
        }
    }
}
