package dev.outpost.support.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.history.StatementPlans.Executed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests logs in the format of PostgreSQL. */
class StatementPlansTest {
    private static final String STAMP = "2026-01-01 00:00:00.000 UTC [42] ";
    private static final String OTHER = STAMP + "LOG:  checkpoint starting: time\n";

    @TempDir
    private Path folder;

    private Path log;
    private StatementPlans plans;

    @BeforeEach
    void start() throws IOException {
        log = folder.resolve("database.log");
        Files.writeString(log, select("SELECT old", 1, 1) + OTHER);
        plans = new StatementPlans(log);
    }

    private static String entry(String... lines) {
        return STAMP + "LOG:  duration: 0.123 ms  plan:\n\t" + String.join("\n\t", lines) + "\n";
    }

    private static String select(String statement, int buffers, int rows) {
        return entry(
                "Query Text: " + statement,
                "Index Scan using a on b  (cost=0.00..8.27 rows=1 width=4) (actual rows=" + rows + ".00 loops=1)",
                "  Index Cond: (id = 7)",
                "  Buffers: shared hit=" + buffers);
    }

    private void write(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.APPEND);
    }

    private void empty() throws IOException {
        Files.writeString(log, "", StandardOpenOption.TRUNCATE_EXISTING);
    }

    private List<String> statements() throws IOException {
        return plans.read().stream().map(Executed::statement).toList();
    }

    @Test
    void statementsSinceTheLastCallAreRead() throws IOException {
        assertEquals(List.of(), statements());
        write(select("SELECT 1", 3, 1) + OTHER + select("SELECT 2", 4, 1) + OTHER);
        assertEquals(List.of("SELECT 1", "SELECT 2"), statements());
        assertEquals(List.of(), statements());
    }

    @Test
    void entryIsReadOnceTheNextOneHasBegun() throws IOException {
        String entry = select("SELECT 'ä'", 3, 1);
        for (int end : new int[] {1, 40, entry.length() - 1}) {
            write(entry.substring(0, end));
            assertEquals(List.of(), statements());
            write(entry.substring(end));
            assertEquals(List.of(), statements());
            write(OTHER);
            assertEquals(List.of("SELECT 'ä'"), statements());
        }
    }

    /** The server limits the size of its log. */
    @Test
    void emptiedLogIsReadFromItsBeginning() throws IOException {
        write(OTHER + select("SELECT before", 3, 1));
        assertEquals(List.of(), statements());
        empty();
        write("\tthe rest of an entry\n" + select("SELECT after", 3, 1) + OTHER);
        assertEquals(List.of("SELECT after"), statements());
        empty();
        assertEquals(List.of(), statements());
        write(select("SELECT later", 3, 1) + OTHER);
        assertEquals(List.of("SELECT later"), statements());
    }

    @Test
    void pagesAndRowsAreThoseOfTheRoot() throws IOException {
        write(entry(
                        "Query Text: SELECT x",
                        "\tFROM y",
                        "Nested Loop  (cost=0.00..9.00 rows=1 width=4) (actual rows=2.00 loops=3)",
                        "  Buffers: shared hit=10 read=5",
                        "  ->  Seq Scan on y  (cost=0.00..1.00 rows=1 width=4) (actual rows=100.00 loops=1)",
                        "        Buffers: shared hit=4")
                + OTHER);
        Executed one = plans.read().getFirst();
        assertEquals(15, one.buffers());
        assertEquals(6, one.rows());
        assertEquals(0, one.changes());
        assertTrue(one.plan().contains("Seq Scan on y"), one.plan());
    }

    @Test
    void changesAreTheRowsBelowEachNodeThatChangesATable() throws IOException {
        write(entry(
                        "Query Text: UPDATE y SET x = 1",
                        "Update on y  (cost=0.00..1.00 rows=0 width=0) (actual rows=0.00 loops=1)",
                        "  Buffers: shared read=7",
                        "  ->  Seq Scan on y  (cost=0.00..1.00 rows=1 width=4) (actual rows=5.00 loops=1)",
                        "        Buffers: shared hit=1")
                + OTHER);
        Executed one = plans.read().getFirst();
        assertEquals(7, one.buffers());
        assertEquals(0, one.rows());
        assertEquals(5, one.changes());
    }

    @Test
    void entriesWithoutAPlanAreLeftOut() throws IOException {
        write(entry("Query Text: SELECT 1", "no node")
                + STAMP + "ERROR:  relation does not exist\n\tLINE 1\n"
                + select("SELECT 2", 3, 1)
                + OTHER);
        assertEquals(List.of("SELECT 2"), statements());
    }

    @Test
    void excessiveStatementsComeWithTheirWorstExecution() {
        List<Executed> executed = Stream.of(
                        new Executed("SELECT a", "", 201, 0, 0),
                        new Executed("SELECT a", "", 900, 0, 0),
                        new Executed("SELECT b", "", 1_000, 0, 0),
                        new Executed("SELECT c", "", 200, 0, 0),
                        new Executed("SELECT rows", "", 280, 10, 0),
                        new Executed("SELECT changes", "", 500, 0, 10),
                        new Executed("SELECT everything", "", 200 + 8 * 501 + 1, 1_000_000, 0),
                        new Executed("COPY y", "", 100_000, 0, 0))
                .toList();
        List<String> worst = StatementPlans.excessive(executed).stream()
                .map(one -> one.statement() + " " + one.buffers())
                .toList();
        assertEquals(List.of("SELECT everything 4209", "SELECT b 1000", "SELECT a 900"), worst);
    }
}
