package dev.outpost.backend.api.usage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.usage.TokenPrice;
import dev.outpost.backend.model.usage.TokenUse;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.TokenRows;
import dev.outpost.backend.store.usage.TokenRows.Position;
import dev.outpost.channel.grant.Secrets;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.TokenUsageView;
import dev.outpost.rest.usage.TokenUsageView.TokenDayView;
import dev.outpost.rest.usage.TokenUseBatch;
import dev.outpost.rest.usage.TokenUseBatch.TokenUseRecord;
import dev.outpost.rest.usage.TokenUseReceived;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The tokens and costs of generated texts. Servers of models send them in batches, and callers read the bills. */
@Path("/v1/token-usage")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "usage")
public class TokenUsageResource extends ApiResource {
    /**
     * The longest time by which a server's clock may be ahead of the backend's clock. Records may be late, for
     * example after a network failure.
     */
    private static final Duration MOST_EARLY = Duration.ofMinutes(5);

    private static final Duration MOST_LATE = Duration.ofDays(6);

    private final ObjectMapper json;
    private final Money money;

    TokenUsageResource(ObjectMapper json, Money money) {
        this.money = money;
        this.json = json;
    }

    private static TokenDayView view(TokenRows.Used used) {
        TokenUse use = used.use();
        return new TokenDayView(
                use.at().atOffset(ZoneOffset.UTC).toLocalDate(),
                used.project(),
                used.key(),
                use.model(),
                use.texts(),
                use.promptTokens(),
                use.cachedTokens(),
                use.newTokens(),
                use.seconds(),
                used.nanos(),
                Money.of(used.nanos()));
    }

    @POST
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Counts what texts have used",
            description =
                    "A batch that is sent again with its id is not counted again, for seven days. Records are of the"
                            + " caller's own key, or of keys that /v1/gateways:admit was asked about.")
    public TokenUseReceived take(TokenUseBatch request) {
        TokenUseBatch body = Inputs.required(request);
        if (body.id() == null || body.records() == null || body.records().size() > Bounds.USAGE_RECORDS) {
            throw Problem.invalid("expected an id, and up to " + Bounds.USAGE_RECORDS + " records");
        }
        body.records().forEach(TokenUsageResource::require);
        return transact(sql -> {
            TokenRows.Receipt receipt = TokenRows.receive(sql, caller.organisation(), body.id(), hash(body));
            return switch (receipt) {
                case NEW -> {
                    add(sql, body.records());
                    yield new TokenUseReceived(body.records().size(), false);
                }
                case REPEATED -> new TokenUseReceived(body.records().size(), true);
                case OTHER ->
                    throw Problem.of(
                            Problem.Code.CONFLICT, "id: it was used for another batch; draw a new one for each");
            };
        });
    }

    private static void require(TokenUseRecord record) {
        if (record == null || record.keyId() == null || record.model() == null || record.at() == null) {
            throw Problem.invalid("records: expected objects with keyId, model and at");
        }
        if (record.model().isBlank()
                || record.model().length() > Bounds.MODEL
                || record.model().chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid("model: expected a name of 1 to " + Bounds.MODEL + " characters");
        }
    }

    private void add(Sql sql, List<TokenUseRecord> records) {
        Instant now = sql.now();
        Map<String, List<TokenPrice>> prices =
                TokenRows.prices(sql).stream().collect(Collectors.groupingBy(TokenPrice::model));
        for (TokenUseRecord record : records) {
            TokenUse use = use(record, now);
            requireShown(sql, record.keyId());
            String project = project(sql, record.keyId());
            long nanos = TokenPrice.cost(prices.getOrDefault(use.model(), List.of()), use);
            TokenRows.add(sql, caller.organisation(), project, record.keyId(), use, nanos);
        }
    }

    private static TokenUse use(TokenUseRecord record, Instant now) {
        if (record.at().isAfter(now.plus(MOST_EARLY)) || record.at().isBefore(now.minus(MOST_LATE))) {
            throw Problem.invalid(
                    "at: expected a time of the last " + MOST_LATE.toDays() + " days, got " + record.at());
        }
        for (long count : new long[] {
            record.texts(), record.promptTokens(), record.cachedTokens(), record.newTokens(), record.seconds()
        }) {
            if (count > TokenUse.MAX) {
                throw Problem.invalid("records: expected counts from 0 to " + TokenUse.MAX + ", got " + count);
            }
        }
        try {
            return new TokenUse(
                    record.model(),
                    record.at(),
                    record.texts(),
                    record.promptTokens(),
                    record.cachedTokens(),
                    record.newTokens(),
                    record.seconds());
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }

    /** Fails unless the key is the caller's own or was shown to it, so that a caller cannot bill a key whose secret it never saw. */
    private void requireShown(Sql sql, String keyId) {
        boolean isKnown = KeyRows.find(sql, keyId)
                .filter(found -> found.key().organisation().equals(caller.organisation()))
                .isPresent();
        if (isKnown && !keyId.equals(caller.keyId()) && !TokenRows.wasShown(sql, caller.keyId(), keyId)) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "records: key " + ResourceNames.shown(keyId)
                            + " was not shown to this key within 7 days; ask /v1/gateways:admit about it first");
        }
    }

    /** Returns the project of a key. A key that was revoked in the meantime is still billed. */
    private String project(Sql sql, String keyId) {
        KeyRows.Stored key = KeyRows.find(sql, keyId)
                .map(KeyRows.Found::key)
                .filter(found -> found.organisation().equals(caller.organisation()))
                .filter(found ->
                        found.project().isEmpty() || caller.sees(found.project().get()))
                .orElseThrow(() -> Problem.notFound("key", keyId));
        return key.project().or(caller::project).orElse(TenantRows.FIRST_PROJECT);
    }

    private byte[] hash(TokenUseBatch body) {
        try {
            return Secrets.sha256(json.writeValueAsBytes(body.records()));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @GET
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary =
                    "What texts have used and cost, by day, project, key and model; of this month unless a window is given")
    public TokenUsageView usage(
            @QueryParam("project") Optional<String> project,
            @QueryParam("from") Optional<String> from,
            @QueryParam("to") Optional<String> to,
            @BeanParam PageRequest request) {
        Optional<String> which = caller.projectFilter(project);
        Optional<Position> after = position(request);
        return database.read(sql -> {
            Window window = Window.of(from, to, sql.now());
            Page<TokenDayView> page = request.of(
                    TokenRows.page(sql, caller.organisation(), which, window.days(), after, request.rows()),
                    TokenUsageResource::view,
                    row -> String.join(
                            " ",
                            row.use().at().toString(),
                            row.project(),
                            row.key(),
                            row.use().model()));
            long total = TokenRows.nanos(sql, caller.organisation(), which, window.days());
            return new TokenUsageView(
                    window.from(), window.to(), page.items(), page.next(), total, Money.of(total), money.currency());
        });
    }

    private static Optional<Position> position(PageRequest request) {
        return request.position(
                4, parts -> new Position(Inputs.time("cursor", Instant.parse(parts[0])), parts[1], parts[2], parts[3]));
    }
}
