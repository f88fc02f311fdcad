package dev.outpost.rest.client;

import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetView;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.PriceView;
import dev.outpost.rest.usage.QuotaRequest;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaView;
import dev.outpost.rest.usage.TokenPriceRequest;
import dev.outpost.rest.usage.TokenPrices;
import dev.outpost.rest.usage.TokenPrices.TokenPriceView;
import dev.outpost.rest.usage.TokenUsageView;
import dev.outpost.rest.usage.UsageExplanation;
import dev.outpost.rest.usage.UsageView;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls about usage, quotas, budgets and prices. */
public record UsageApi(BackendClient client) {
    private static final String USAGE = "/v1/usage";
    private static final String BUDGETS = "/v1/budgets";
    private static final String PRICES = "/v1/prices";
    private static final String TOKEN_PRICES = "/v1/token-prices";
    private static final String QUOTAS = "/v1/quotas";

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

    /**
     * Reads all pages of the costs of texts; parameters that are null are left out.
     *
     * @return the last page
     */
    public TokenUsageView tokens(
            @Nullable String project, @Nullable String from, @Nullable String to, Consumer<TokenUsageView> reader) {
        Query query = new Query("/v1/token-usage")
                .with("project", project)
                .with("from", from)
                .with("to", to);
        while (true) {
            TokenUsageView page = client.get(query, TokenUsageView.class);
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

    /** Removes a price that does not hold yet. */
    public void removePrice(String gpu, Instant from) {
        client.delete(new Query(PRICES).with("gpu", gpu).with("from", from));
    }

    public List<TokenPriceView> tokenPrices() {
        return client.get(TOKEN_PRICES, TokenPrices.class).items();
    }

    public TokenPriceView putTokenPrice(TokenPriceRequest request) {
        return client.put(TOKEN_PRICES, request, TokenPriceView.class);
    }

    /** Removes prices of a model that do not hold yet. */
    public void removeTokenPrice(String model, Instant from) {
        client.delete(new Query(TOKEN_PRICES).with("model", model).with("from", from));
    }

    public List<QuotaView> quotas() {
        return client.all(new Query(QUOTAS), QuotaView.class);
    }

    public QuotaView putQuota(QuotaRequest request) {
        return client.put(QUOTAS, request, QuotaView.class);
    }

    /**
     * Removes a quota.
     *
     * @param project null for a quota of the organisation
     * @param gpu null for a quota of all kinds together
     */
    public void removeQuota(QuotaResource resource, @Nullable String project, @Nullable String gpu) {
        client.delete(new Query(QUOTAS)
                .with("resource", resource)
                .with("project", project)
                .with("gpu", gpu));
    }

    // ---- the operator's limits of an organisation

    public List<QuotaView> quotasOf(String organisation) {
        return client.all(limits(organisation, "quotas"), QuotaView.class);
    }

    public QuotaView putQuotaOf(String organisation, QuotaRequest request) {
        return client.put(limits(organisation, "quotas"), request, QuotaView.class);
    }

    /** @param gpu null for a quota of all kinds together */
    public void removeQuotaOf(String organisation, QuotaResource resource, @Nullable String gpu) {
        client.delete(limits(organisation, "quotas").with("resource", resource).with("gpu", gpu));
    }

    public List<BudgetView> budgetsOf(String organisation) {
        return client.all(limits(organisation, "budgets"), BudgetView.class);
    }

    public BudgetView putBudgetOf(String organisation, BudgetRequest request) {
        return client.put(limits(organisation, "budgets"), request, BudgetView.class);
    }

    public void removeBudgetOf(String organisation, BudgetPeriod period) {
        client.delete(limits(organisation, "budgets").with("period", period));
    }

    private static Query limits(String organisation, String kind) {
        return new Query(Query.path("/v1/organisations", organisation) + "/" + kind);
    }
}
