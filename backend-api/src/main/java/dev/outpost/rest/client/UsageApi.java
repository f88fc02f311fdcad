package dev.outpost.rest.client;

import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetView;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.PriceView;
import dev.outpost.rest.usage.UsageExplanation;
import dev.outpost.rest.usage.UsageView;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls about usage, budgets and prices. */
public record UsageApi(BackendClient client) {
    private static final String USAGE = "/v1/usage";
    private static final String BUDGETS = "/v1/budgets";
    private static final String PRICES = "/v1/prices";

    /** The size of all pages after the first one: the largest that the backend allows. */
    private static final int PAGE = 500;

    /**
     * Reads all pages of the usage of machines; parameters that are null are left out.
     *
     * @return the last page
     */
    public UsageView usage(
            @Nullable String project, @Nullable String from, @Nullable String to, Consumer<UsageView> reader) {
        Query query =
                new Query(USAGE).with("project", project).with("from", from).with("to", to);
        while (true) {
            UsageView page = client.get(query, UsageView.class);
            reader.accept(page);
            if (page.next() == null) {
                return page;
            }
            query.with("cursor", page.next()).with("limit", PAGE);
        }
    }

    /** Returns every charged interval of a machine. */
    public UsageExplanation explain(String machine) {
        return client.get(USAGE + "/" + machine, UsageExplanation.class);
    }

    public List<BudgetView> budgets() {
        return client.all(new Query(BUDGETS), BudgetView.class);
    }

    public BudgetView putBudget(BudgetRequest request) {
        return client.put(BUDGETS, request, BudgetView.class);
    }

    /**
     * Removes a budget.
     *
     * @param project null for a budget of all projects
     * @param key null for a budget of all keys
     */
    public void removeBudget(BudgetPeriod period, @Nullable String project, @Nullable String key) {
        client.delete(new Query(BUDGETS)
                .with("period", period)
                .with("project", project)
                .with("key", key));
    }

    public List<PriceView> prices() {
        return client.all(new Query(PRICES), PriceView.class);
    }

    public PriceView putPrice(PriceRequest request) {
        return client.put(PRICES, request, PriceView.class);
    }
}
