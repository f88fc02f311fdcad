package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.rest.client.UsageApi;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.QuotaRequest;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.TokenPriceRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The kinds that limit or price use. */
final class LimitKinds {
    private static final String PROJECT = "project";
    private static final String ORGANISATION = "organisation";
    private static final String OPERATOR = "operator";
    private static final String SET_BY = "setBy";
    private static final String FROM = "from";
    private static final String OF_ORGANISATION =
            "Of which organisation it is a limit by the operator, which its administrators cannot change.";

    private LimitKinds() {}

    static ResourceKind quota() {
        return ResourceKind.of(
                        "Quota",
                        "quotas",
                        "How much the organisation and its projects may have at a time, or in a month.")
                .named(Field.of(
                        QuotaRequest.class,
                        "resource",
                        "gpus, machines, gpu_hours_per_month, tokens_per_month or stored_bytes."))
                .within(Field.of(QuotaRequest.class, PROJECT, "Of which project; the whole organisation unless given."))
                .within(Field.of(QuotaRequest.class, "gpu", "Of which kind of GPU; all together unless given."))
                .within(Field.text(ORGANISATION, OF_ORGANISATION))
                .field(QuotaRequest.class, "allowed", "How much is allowed, in the unit of the resource.")
                .columns("resource", PROJECT, "gpu", "allowed", "used", "left", SET_BY)
                .setMakes()
                .viewed(LimitKinds::withAuthor)
                .managed((view, scope) -> scope.containsKey(ORGANISATION)
                        || !view.path(SET_BY).asText().equals(OPERATOR))
                .lists((client, scope) -> scope.containsKey(ORGANISATION)
                        ? new UsageApi(client).quotasOf(scope.get(ORGANISATION))
                        : new UsageApi(client).quotas())
                .puts((client, wanted, present) -> wanted.part(ORGANISATION) == null
                        ? new UsageApi(client).putQuota(wanted.as(QuotaRequest.class))
                        : new UsageApi(client).putQuotaOf(wanted.part(ORGANISATION), wanted.as(QuotaRequest.class)))
                .removes((client, present) -> {
                    QuotaResource resource = QuotaResource.valueOf(present.name());
                    if (present.part(ORGANISATION) == null) {
                        new UsageApi(client).removeQuota(resource, present.part(PROJECT), present.part("gpu"));
                    } else {
                        new UsageApi(client).removeQuotaOf(present.part(ORGANISATION), resource, present.part("gpu"));
                    }
                });
    }

    static ResourceKind budget() {
        return ResourceKind.of("Budget", "budgets", "How much may be spent in a day, a week, a month or in all.")
                .named(Field.of(BudgetRequest.class, "period", "day, week, month (by UTC) or lifetime."))
                .within(Field.of(
                        BudgetRequest.class, PROJECT, "Of which project; the whole organisation unless given."))
                .within(Field.of(
                        BudgetRequest.class, "key", "The id of the key whose requests count; any unless given."))
                .within(Field.text(ORGANISATION, OF_ORGANISATION))
                .field(BudgetRequest.class, "cap", "How much may be spent in the period, in units of the currency.")
                .field(
                        BudgetRequest.class,
                        "thresholds",
                        "What is done at a percentage of the cap: notify, refuse or end; 80=notify,100=end unless given.")
                .columns("period", PROJECT, "key", "spent", "cap", "actions", "text", SET_BY)
                .setMakes()
                .viewed(view -> withAuthor(view.put("actions", actions(view.path("thresholds")))))
                .managed((view, scope) -> scope.containsKey(ORGANISATION)
                        || !view.path(SET_BY).asText().equals(OPERATOR))
                .lists((client, scope) -> scope.containsKey(ORGANISATION)
                        ? new UsageApi(client).budgetsOf(scope.get(ORGANISATION))
                        : new UsageApi(client).budgets())
                .puts((client, wanted, present) -> wanted.part(ORGANISATION) == null
                        ? new UsageApi(client).putBudget(wanted.as(BudgetRequest.class))
                        : new UsageApi(client).putBudgetOf(wanted.part(ORGANISATION), wanted.as(BudgetRequest.class)))
                .removes((client, present) -> {
                    BudgetPeriod period = BudgetPeriod.valueOf(present.name());
                    if (present.part(ORGANISATION) == null) {
                        new UsageApi(client).removeBudget(period, present.part(PROJECT), present.part("key"));
                    } else {
                        new UsageApi(client).removeBudgetOf(present.part(ORGANISATION), period);
                    }
                });
    }

    /** Returns such as {@code 80=notify,100=end}; a question mark for an action that only a newer backend knows. */
    private static String actions(JsonNode thresholds) {
        return StreamSupport.stream(thresholds.spliterator(), false)
                .map(one -> one.path("percent").asInt() + "="
                        + one.path("action").asText("?").toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(","));
    }

    /** Adds who has set a limit: its name begins with the scope. */
    private static ObjectNode withAuthor(ObjectNode view) {
        boolean isOperators = view.path("name").asText().startsWith(OPERATOR + "/");
        return view.put(SET_BY, isOperators ? OPERATOR : "administrator");
    }

    static ResourceKind price() {
        return ResourceKind.of("Price", "prices", "What a kind of GPU costs for an hour, and from when on.")
                .named(Field.of(PriceRequest.class, "gpu", "A name of the catalogue (./outpost gpus), or any."))
                .distinguishedBy(Field.of(
                        PriceRequest.class, FROM, "From when on, such as 2027-02-01T00:00:00Z; now unless given."))
                .field(PriceRequest.class, "perHour", "Of one GPU for an hour, in units of the currency, such as 3.67.")
                .columns("gpu", FROM, "perHour", "currency")
                .setMakes()
                .chooses(LimitKinds::holding)
                .lists((client, scope) -> new UsageApi(client).prices())
                .puts((client, wanted, present) -> new UsageApi(client).putPrice(wanted.as(PriceRequest.class)))
                .removes((client, present) ->
                        new UsageApi(client).removePrice(present.name(), Instant.parse(present.part(FROM))))
                .prunes((client, present) -> isAhead(present));
    }

    static ResourceKind tokenPrice() {
        return ResourceKind.of("TokenPrice", "token-prices", "What texts of a model cost, and from when on.")
                .named(Field.of(TokenPriceRequest.class, "model", "The name of the model, as requests call it."))
                .distinguishedBy(Field.of(
                        TokenPriceRequest.class, FROM, "From when on, such as 2027-02-01T00:00:00Z; now unless given."))
                .field(TokenPriceRequest.class, "perMillionPrompt", "A million tokens of prompts; 0 unless given.")
                .field(
                        TokenPriceRequest.class,
                        "perMillionCached",
                        "A million tokens of prompts that had been computed before; 0 unless given.")
                .field(TokenPriceRequest.class, "perMillionNew", "A million new tokens; 0 unless given.")
                .field(TokenPriceRequest.class, "perSecond", "A second in which a text is generated; 0 unless given.")
                .columns(
                        "model", FROM, "perMillionPrompt", "perMillionCached", "perMillionNew", "perSecond", "currency")
                .setMakes()
                .chooses(LimitKinds::holding)
                .lists((client, scope) -> new UsageApi(client).tokenPrices())
                .puts((client, wanted, present) ->
                        new UsageApi(client).putTokenPrice(wanted.as(TokenPriceRequest.class)))
                .removes((client, present) ->
                        new UsageApi(client).removeTokenPrice(present.name(), Instant.parse(present.part(FROM))))
                .prunes((client, present) -> isAhead(present));
    }

    private static boolean isAhead(Resource price) {
        return Instant.parse(price.part(FROM)).isAfter(Instant.now());
    }

    /** Returns the price that holds now, else the first one that will. */
    private static List<Resource> holding(List<Resource> prices) {
        Comparator<Resource> byDate = Comparator.comparing(one -> Instant.parse(one.part(FROM)));
        return prices.stream()
                .filter(one -> !isAhead(one))
                .max(byDate)
                .or(() -> prices.stream().min(byDate))
                .stream()
                .toList();
    }
}
