package dev.outpost.backend.api.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.job.SecretsResource;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.outbound.TenantHttp;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.webhook.DeliveryState;
import dev.outpost.rest.webhook.DeliveryView;
import dev.outpost.rest.webhook.WebhookRequest;
import dev.outpost.rest.webhook.WebhookView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Webhooks: addresses that receive every event, signed. */
@Path("/v1/webhooks")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "webhooks")
public class WebhooksResource extends ApiResource {
    private static final String ID = "{id: [^/:]+}";
    private static final int KEY_BYTES = 32;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SealKeys seals;
    private final Wakeups wakeups;
    private final TenantHttp http;
    private final SecureRandom random = new SecureRandom();

    WebhooksResource(SealKeys seals, Wakeups wakeups, TenantHttp http) {
        this.seals = seals;
        this.wakeups = wakeups;
        this.http = http;
    }

    private static WebhookView view(WebhookRows.Stored row) {
        return view(row, null);
    }

    private static WebhookView view(WebhookRows.Stored row, String secret) {
        return new WebhookView(
                row.id(),
                row.version(),
                row.url(),
                row.project().orElse(null),
                row.types(),
                row.isPaused(),
                row.created(),
                secret);
    }

    private static DeliveryView view(WebhookRows.Delivery row) {
        return new DeliveryView(
                row.id(),
                row.event(),
                row.type(),
                row.state(),
                row.tries(),
                row.text(),
                row.created(),
                row.due().orElse(null),
                body(row));
    }

    private static Map<String, Object> body(WebhookRows.Delivery row) {
        try {
            return MAPPER.readValue(row.body(), new TypeReference<>() {});
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @GET
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Webhooks")
    public Page<WebhookView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        Optional<String> only = caller.projectFilter(project);
        return page(
                request,
                sql -> WebhookRows.page(sql, caller.organisation(), only, request.name(), request.rows()),
                WebhooksResource::view,
                row -> row.id().toString());
    }

    @PUT
    @Path(ID)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Makes a webhook under an id that the client has drawn, or changes it",
            description = "The answer that makes it has the secret by which events are signed, as the Standard Webhooks"
                    + " specification says.")
    public Response put(@PathParam("id") String id, WebhookRequest request, @BeanParam Preconditions match) {
        UUID webhook = Inputs.uuid(id);
        WebhookRequest body = Inputs.required(request);
        SecretsResource.requireSeals(seals);
        requireUrl(body.url());
        List<String> types = types(body);
        Optional<String> project = caller.projectFilter(Optional.ofNullable(body.project()));
        return act("webhook.set", id, URI.create(body.url()).getHost(), sql -> {
            requireProject(sql, project);
            WebhookRows.lock(sql, webhook);
            Optional<WebhookRows.Stored> there = WebhookRows.find(sql, webhook);
            match.require(there.map(WebhookRows.Stored::version).orElse(0L), "webhook", id);
            if (there.isPresent()) {
                WebhookRows.Stored row = visible(there, webhook);
                WebhookRows.Stored changed = new WebhookRows.Stored(
                        row.id(),
                        row.version() + 1,
                        row.organisation(),
                        row.project(),
                        body.url(),
                        types,
                        row.key(),
                        Boolean.TRUE.equals(body.paused()),
                        row.created());
                WebhookRows.update(sql, changed);
                return Response.ok(view(changed)).build();
            }
            if (WebhookRows.count(sql, caller.organisation()) >= Bounds.WEBHOOKS) {
                throw Problem.of(
                        Problem.Code.QUOTA_EXCEEDED,
                        "an organisation has up to " + Bounds.WEBHOOKS + " webhooks; remove one first");
            }
            byte[] key = new byte[KEY_BYTES];
            random.nextBytes(key);
            WebhookRows.insert(
                    sql,
                    new WebhookRows.Stored(
                            webhook,
                            1,
                            caller.organisation(),
                            project,
                            body.url(),
                            types,
                            seals.seal(WebhookRows.place(webhook), key),
                            Boolean.TRUE.equals(body.paused()),
                            sql.now()));
            return Response.status(201)
                    .entity(view(
                            WebhookRows.find(sql, webhook).orElseThrow(),
                            "whsec_" + Base64.getEncoder().encodeToString(key)))
                    .build();
        });
    }

    private void requireUrl(String url) {
        if (url == null || url.length() > Bounds.WEBHOOK_URL) {
            throw Problem.invalid("url: expected an address of up to " + Bounds.WEBHOOK_URL + " characters");
        }
        try {
            http.check(URI.create(url));
        } catch (TenantHttp.RefusedException refused) {
            throw Problem.invalid(refused.getMessage());
        } catch (IllegalArgumentException ignored) {
            throw Problem.invalid("url: expected an address such as https://example.org/hook");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Problem.of(Problem.Code.UNAVAILABLE, "the backend is stopping");
        }
    }

    private static List<String> types(WebhookRequest body) {
        List<String> types = Optional.ofNullable(body.types()).orElse(List.of());
        boolean isGood = types.size() <= Bounds.WEBHOOK_TYPES
                && types.stream().allMatch(type -> type != null && type.matches("[a-z_.]{1,60}"));
        if (!isGood) {
            throw Problem.invalid(
                    "types: expected up to " + Bounds.WEBHOOK_TYPES + " beginnings such as job. or machine.ended");
        }
        return types;
    }

    @DELETE
    @Path(ID)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Removes a webhook, with what was not delivered",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("id") String id, @BeanParam Preconditions match) {
        UUID webhook = Inputs.uuid(id);
        return remove("webhook.remove", id, "", sql -> {
            WebhookRows.lock(sql, webhook);
            WebhookRows.Stored row = visible(WebhookRows.find(sql, webhook), webhook);
            match.require(row.version(), "webhook", id);
            WebhookRows.remove(sql, webhook);
        });
    }

    @GET
    @Path(ID + "/deliveries")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "What was sent or is to be sent, the newest first; ?state=DEAD is the list of dead letters")
    public Page<DeliveryView> deliveries(
            @PathParam("id") String id, @QueryParam("state") Optional<String> state, @BeanParam PageRequest request) {
        UUID webhook = Inputs.uuid(id);
        Optional<DeliveryState> only = state.map(WebhooksResource::state);
        long before = request.number().orElse(Long.MAX_VALUE);
        List<WebhookRows.Delivery> rows = transact(sql -> {
            visible(WebhookRows.find(sql, webhook), webhook);
            return WebhookRows.deliveries(sql, webhook, only, before, request.rows());
        });
        return request.of(rows, WebhooksResource::view, row -> Long.toString(row.id()));
    }

    private static DeliveryState state(String text) {
        try {
            return DeliveryState.valueOf(text);
        } catch (IllegalArgumentException ignored) {
            throw Problem.invalid("state: expected PENDING, DELIVERED or DEAD");
        }
    }

    @POST
    @Path(ID + "/deliveries/{delivery: [^/:]+}:redeliver")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Sends an event again, with as many tries as a new one has")
    public Response redeliver(@PathParam("id") String id, @PathParam("delivery") String delivery) {
        UUID webhook = Inputs.uuid(id);
        if (!delivery.matches("\\d{1,18}")) {
            throw Problem.notFound("delivery", "of that number");
        }
        act("webhook.redeliver", id, delivery, sql -> {
            visible(WebhookRows.find(sql, webhook), webhook);
            requireFound(WebhookRows.again(sql, webhook, Long.parseLong(delivery)), "delivery", delivery);
            return null;
        });
        wakeups.webhooks();
        return Response.accepted().build();
    }

    private WebhookRows.Stored visible(Optional<WebhookRows.Stored> row, UUID id) {
        return row.filter(found -> found.organisation().equals(caller.organisation()))
                .filter(found -> caller.project().isEmpty() || caller.project().equals(found.project()))
                .orElseThrow(() -> Problem.notFound("webhook", id));
    }
}
