package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.UsageApi;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetRequest.ThresholdRequest;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.usage.BudgetView;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the budgets of a backend, sets a budget or removes one. */
@Command(
        name = "budgets",
        description = "List budgets, what is spent of them, and how long they last.",
        subcommands = {BudgetsCommand.Put.class, BudgetsCommand.Remove.class})
public final class BudgetsCommand extends PrintingCommand {
    /** The options that choose a budget. */
    static final class Which {
        @Option(
                names = "--period",
                paramLabel = "PERIOD",
                required = true,
                description = "day, week, month (by UTC) or lifetime.")
        private BudgetPeriod period;

        @Option(
                names = "--project",
                paramLabel = "NAME",
                description = "Whose machines it covers; all of the organisation's unless given.")
        private String project;

        @Option(names = "--key", paramLabel = "ID", description = "By which key they were asked for; any unless given.")
        private String key;
    }

    @Override
    public void run() {
        TextTable table = new TextTable("BUDGET", "SPENT", "CAP", "THRESHOLDS", "WHAT IS LEFT");
        calls().budgets()
                .forEach(item -> table.row(
                        item.name(),
                        MoneyFormat.text(item.spentNanos()),
                        item.cap().stripTrailingZeros().toPlainString(),
                        thresholds(item.thresholds()),
                        item.text()));
        print(table);
    }

    private static UsageApi calls() {
        return new UsageApi(BackendClient.configured());
    }

    private static String thresholds(List<BudgetThreshold> thresholds) {
        return thresholds.stream().map(one -> one.percent() + "=" + action(one)).collect(Collectors.joining(","));
    }

    /** Returns the name of the action; a question mark if only a newer version of this program knows it. */
    private static String action(BudgetThreshold threshold) {
        return threshold.action() == null ? "?" : threshold.action().name().toLowerCase(Locale.ROOT);
    }

    /** Makes a budget, or changes its cap. */
    @Command(name = "set", description = "Set a budget.")
    static final class Put extends PrintingCommand {
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
        private Map<Integer, BudgetAction> thresholds;

        @Override
        public void run() {
            BudgetView budget = calls().putBudget(
                            new BudgetRequest(which.project, which.key, which.period, cap, listed(thresholds)));
            println(budget.name() + ": " + budget.text());
        }

        private static List<ThresholdRequest> listed(Map<Integer, BudgetAction> thresholds) {
            return thresholds == null
                    ? null
                    : thresholds.entrySet().stream()
                            .map(one -> new ThresholdRequest(one.getKey(), one.getValue()))
                            .toList();
        }
    }

    /** Removes a budget. */
    @Command(name = "remove", description = "Remove one, so that it bounds nothing any more.")
    static final class Remove extends PrintingCommand {
        @ArgGroup(exclusive = false, multiplicity = "1")
        private Which which;

        @Override
        public void run() {
            calls().removeBudget(which.period, which.project, which.key);
            println("the budget is removed");
        }
    }
}
