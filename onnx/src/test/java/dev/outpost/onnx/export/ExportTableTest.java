package dev.outpost.onnx.export;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The table of docs/onnx.md lists the elementwise operations that are exported as a single operator. */
class ExportTableTest {
    private static final Path PAGE = Path.of("..", "docs", "onnx.md");
    /** Beginnings of the rows that list them. */
    private static final Set<String> ROWS = Set.of("| abs, ", "| copy ", "| add, ", "| eq, ");
    /** In these rows, and more than one operator or no elementwise operation of two operands. */
    private static final Set<String> OTHERS = Set.of("ne", "where");

    @Test
    void pageAndCodeAgree() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (ROWS.stream().anyMatch(line::startsWith)) {
                told.addAll(Arrays.asList(line.split("\\|")[1].strip().split(", ")));
            }
        }
        told.removeAll(OTHERS);
        assertEquals(new TreeSet<>(InstructionRules.ofOneOperator()), told);
    }
}
