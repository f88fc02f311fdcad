package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the budgets of a backend, sets one, removes one. */
@Command(
        name = "budgets",
        description = "List budgets, what is spent of them, and how long they last.",
        subcommands = {BudgetsCommand.Put.class, BudgetsCommand.Remove.class})
public final class BudgetsCommand implements Runnable {
    private static final String PATH = "/v1/budgets";

    /** The time that a budget is for. */
    enum Period {
        DAY,
        WEEK,
        MONTH,
        LIFETIME
    }

    /** The action at a threshold. */
    enum Action {
        NOTIFY,
        REFUSE,
        END
    }

    /** Which budget is meant. */
    static final class Which {
        @Option(
                names = "--period",
                paramLabel = "PERIOD",
                required = true,
                description = "day, week, month (by UTC) or lifetime.")
        private Period period;

        @Option(
                names = "--project",
                paramLabel = "NAME",
                description = "Whose machines it covers; all of the organisation's unless given.")
        private String project;

        @Option(names = "--key", paramLabel = "ID", description = "By which key they were asked for; any unless given.")
        private String key;
    }

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("BUDGET", "SPENT", "CAP", "THRESHOLDS", "WHAT IS LEFT");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(
                        item.path("name").asText(),
                        MoneyFormat.text(item.path("spentNanos").asLong()),
                        item.path("cap").decimalValue().stripTrailingZeros().toPlainString(),
                        thresholds(item.path("thresholds")),
                        item.path("text").asText()));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static String thresholds(JsonNode thresholds) {
        return StreamSupport.stream(thresholds.spliterator(), false)
                .map(one -> one.path("percent").asText() + "="
                        + one.path("action").asText().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }

    /** A new one, or another cap of one. */
    @Command(name = "set", description = "Set a budget.")
    static final class Put implements Runnable {
        @ArgGroup(exclusive = false, multiplicity = "1")
        private Which which;

        @Option(
                names = "--cap",
                paramLabel = "AMOUNT",
                required = true,
                description = "How much may be spent in the period, in units of the currency.")
        private BigDecimal cap;

        @Option(
                names = "--at",
                paramLabel = "PERCENT=ACTION",
                split = ",",
                description = "What is done when so much of the cap is spent: notify, refuse or end;"
                        + " 80=notify,100=end unless given.")
        private Map<Integer, Action> thresholds;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("period", which.period);
            body.put("cap", cap);
            Optional.ofNullable(which.project).ifPresent(name -> body.put("project", name));
            Optional.ofNullable(which.key).ifPresent(id -> body.put("key", id));
            Optional.ofNullable(thresholds).ifPresent(all -> body.put("thresholds", listed(all)));
            JsonNode budget = BackendClient.configured().put(PATH, body);
            spec.commandLine()
                    .getOut()
                    .println(budget.path("name").asText() + ": "
                            + budget.path("text").asText());
        }

        private static List<Map<String, Object>> listed(Map<Integer, Action> thresholds) {
            return thresholds.entrySet().stream()
                    .map(one -> Map.<String, Object>of("percent", one.getKey(), "action", one.getValue()))
                    .toList();
        }
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one, so that it bounds nothing any more.")
    static final class Remove implements Runnable {
        @ArgGroup(exclusive = false, multiplicity = "1")
        private Which which;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured()
                    .delete(BackendClient.path(
                            PATH,
                            Map.of(
                                    "period", Optional.of(which.period.name()),
                                    "project", Optional.ofNullable(which.project),
                                    "key", Optional.ofNullable(which.key))));
            spec.commandLine().getOut().println("the budget is removed");
        }
    }
}
