package dev.outpost.house.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit is neither exceeded nor above the count, and only decreases. */
@Tag("quick")
class CountLimitsTest {
    private static final String COLUMNS = "module\tclass\tvariable\tmethod\tcomment\tsame\tpredicate\tcaught\n";

    @TempDir
    private Path root;

    private Path lists;

    @BeforeEach
    void write() throws Exception {
        lists = Files.createDirectories(root.resolve("testing/house"));
        Files.writeString(lists.resolve("words.tsv"), "kind\tword\tbeside\tmodule\treplacement\n");
        Files.writeString(lists.resolve("same-names.tsv"), "name\ttypes\treason\n");
        Path sources = Files.createDirectories(root.resolve("api/src/main/java"));
        Files.writeString(sources.resolve("A.java"), "class A {\n  void isOpen() {}\n  void hasRun() {}\n}\n");
    }

    @Test
    void theRightNumberIsNoProblem() throws Exception {
        assertEquals(List.of(), withLimit(2).problems());
    }

    @Test
    void moreThanTheLimitIsListed() throws Exception {
        assertEquals(
                List.of(
                        "api: 2 violations of rule \"predicate\", the limit is 1; new ones are among these:",
                        "  api/src/main/java/A.java:2: void isOpen: begin with the verb of what it does",
                        "  api/src/main/java/A.java:3: void hasRun: begin with the verb of what it does"),
                withLimit(1).problems());
    }

    @Test
    void lessThanTheLimitAsksForTheNumber() throws Exception {
        assertEquals(
                List.of("api: 2 violations of rule \"predicate\", the limit is 3; write 2 into testing/house/limits.tsv"
                        + " (./outpost names --lower does)"),
                withLimit(3).problems());
    }

    @Test
    void limitsAreLoweredAndNeverRaised() throws Exception {
        assertEquals(List.of(), withLimit(3).lower().problems());
        assertFalse(withLimit(1).lower().problems().isEmpty());
    }

    private NamesCheck withLimit(int limit) throws Exception {
        Files.writeString(lists.resolve("limits.tsv"), COLUMNS + "api\t0\t0\t0\t0\t0\t" + limit + "\t0\n");
        return NamesCheck.of(root);
    }
}
