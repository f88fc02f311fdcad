package dev.outpost.support.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The executed statements, as PostgreSQL's module auto_explain writes them into the server's log: each with its plan, including those of
 * foreign keys. Not thread-safe.
 */
public final class StatementPlans {
    private static final List<String> SETTINGS = List.of(
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_analyze = on",
            "auto_explain.log_buffers = on",
            "auto_explain.log_timing = off",
            "auto_explain.log_nested_statements = on",
            "auto_explain.log_parameter_max_length = 100");

    /** The pages that a statement may touch in addition to its results. */
    private static final long BUFFERS = 200;

    /** The pages for each returned row: two of the table, and those of three lookups in an index of two levels. */
    private static final long BUFFERS_OF_ROW = 8;

    /** The pages for each changed row: one of the table, and those of all indexes, of which a table has up to a dozen. */
    private static final long BUFFERS_OF_CHANGE = 30;

    /** The rows of the longest page of a list, and the row after it. A statement with more rows does not read a page, but the history. */
    private static final long ROWS = 501;

    /** The beginnings of statements that read whole tables on purpose. */
    private static final List<String> WHOLE = List.of("COPY ");

    private static final Pattern BEGIN = Pattern.compile(".* LOG:  duration: [0-9.]+ ms  plan:");
    private static final Pattern NODE = Pattern.compile("\\(actual rows=([0-9.]+) loops=([0-9]+)\\)");
    private static final Pattern TOUCHED = Pattern.compile("  Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?.*");
    private static final Pattern CHANGE = Pattern.compile("\\b(Insert|Update|Delete) on ");

    private final Path log;
    private long position;
    private String rest = "";

    /** @param log the log of the server; its present content is skipped */
    public StatementPlans(Path log) throws IOException {
        this.log = log;
        this.position = Files.size(log);
    }

    /**
     * A statement that was executed.
     *
     * @param plan the plan as PostgreSQL shows it, with actual numbers
     * @param buffers the pages of 8 KiB that it has touched, in memory or not
     * @param rows the number of returned rows
     * @param changes the number of changed rows
     */
    public record Executed(String statement, String plan, long buffers, long rows, long changes) {
        private boolean isExcessive() {
            return buffers
                            > BUFFERS
                                    + BUFFERS_OF_ROW * Math.min(rows, ROWS)
                                    + BUFFERS_OF_CHANGE * Math.min(changes, ROWS)
                    && WHOLE.stream().noneMatch(statement::startsWith);
        }

        @Override
        public String toString() {
            return buffers + " buffers, " + rows + " rows, " + changes + " changes: " + statement + "\n" + plan + "\n";
        }
    }

    /**
     * Makes later sessions of this database explain their statements.
     *
     * @param settings further settings of PostgreSQL for these sessions, such as {@code plan_cache_mode = force_generic_plan}
     */
    public static void explain(Connection connection, String... settings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String database = connection.getCatalog();
            // A session accepts the settings of the module once it has loaded the module.
            statement.execute("LOAD 'auto_explain'");
            for (String setting :
                    Stream.concat(SETTINGS.stream(), Stream.of(settings)).toList()) {
                statement.execute("ALTER DATABASE " + database + " SET " + setting);
            }
        }
    }

    /** Returns the statements that were executed since the last call. */
    public List<Executed> read() throws IOException {
        List<String> lines = lines();
        List<Executed> executed = new ArrayList<>();
        int at = 0;
        while (at < lines.size()) {
            if (!BEGIN.matcher(lines.get(at++)).matches()) {
                continue;
            }
            int begin = at;
            while (at < lines.size() && lines.get(at).startsWith("\t")) {
                at++;
            }
            parse(
                    lines.subList(begin, at).stream()
                            .map(line -> line.substring(1))
                            .toList(),
                    executed);
        }
        return executed;
    }

    /**
     * Returns the statements that touched more than 200 pages in addition to their results, each with its worst execution; the worst first.
     */
    public static List<Executed> excessive(List<Executed> executed) {
        Map<String, Executed> worst = new HashMap<>();
        executed.stream()
                .filter(Executed::isExcessive)
                .forEach(one -> worst.merge(
                        one.statement(), one, (other, same) -> other.buffers() >= same.buffers() ? other : same));
        return worst.values().stream()
                .sorted(Comparator.comparing(Executed::buffers).reversed())
                .toList();
    }

    /** Returns the complete entries; the last one may not be completely written yet. */
    private List<String> lines() throws IOException {
        try (FileChannel file = FileChannel.open(log)) {
            if (file.size() < position) {
                // The server has emptied its log, because its size is limited.
                position = 0;
                rest = "";
            }
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size() - position));
            while (bytes.hasRemaining() && file.read(bytes, position + bytes.position()) > 0) {
                // Continues to the size that was found.
            }
            int end = bytes.position();
            while (end > 0 && bytes.get(end - 1) != '\n') {
                end--;
            }
            position += end;
            String text = rest + new String(bytes.array(), 0, end, StandardCharsets.UTF_8);
            int last = lastEntry(text);
            rest = text.substring(last);
            return text.substring(0, last).lines().toList();
        }
    }

    private static int lastEntry(String text) {
        int at = text.length();
        while (at > 0) {
            int begin = text.lastIndexOf('\n', at - 2) + 1;
            if (text.charAt(begin) != '\t') {
                return begin;
            }
            at = begin;
        }
        return 0;
    }

    private static void parse(List<String> lines, List<Executed> executed) {
        int root = 0;
        while (root < lines.size() && !isNode(lines.get(root))) {
            root++;
        }
        if (root == lines.size() || !lines.getFirst().startsWith("Query Text: ")) {
            return;
        }
        List<String> plan = lines.subList(root, lines.size());
        String statement = lines.getFirst().substring("Query Text: ".length());
        executed.add(new Executed(
                statement,
                String.join("\n", lines.subList(1, lines.size())),
                buffers(plan),
                rows(plan.getFirst()),
                changes(plan)));
    }

    private static boolean isNode(String line) {
        return line.contains("(cost=") && NODE.matcher(line).find();
    }

    /** Returns the pages that a plan touched, by the numbers of its root, which include those of its children. */
    private static long buffers(List<String> plan) {
        return plan.stream()
                .map(TOUCHED::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(found -> number(found.group(1)) + number(found.group(2)))
                .orElse(0L);
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** Returns the values for statements that change tables. */
    private static long changes(List<String> plan) {
        List<String> nodes = plan.stream().filter(StatementPlans::isNode).toList();
        long changes = 0;
        for (int i = 0; i + 1 < nodes.size(); i++) {
            if (CHANGE.matcher(nodes.get(i)).find()) {
                changes += rows(nodes.get(i + 1));
            }
        }
        return changes;
    }

    private static long rows(String node) {
        Matcher found = NODE.matcher(node);
        return found.find() ? Math.round(Double.parseDouble(found.group(1)) * Long.parseLong(found.group(2))) : 0;
    }
}
