package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Idempotency;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyRequest;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.KeyView;
import dev.outpost.rest.tenant.Role;
import dev.outpost.rest.tenant.Rotation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** API keys. A key's text is shown once, when it is made. */
@Path("/v1/keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "keys")
public class KeysResource extends ApiResource {
    private final Idempotency idempotency;
    private final SecureRandom random = new SecureRandom();

    KeysResource(Idempotency idempotency) {
        this.idempotency = idempotency;
    }

    private static KeyView view(KeyRows.Stored row) {
        return view(row, null);
    }

    private static KeyView view(KeyRows.Stored row, String text) {
        return new KeyView(
                row.id(),
                row.name(),
                row.project().orElse(null),
                row.subject().orElse(null),
                row.scopes(),
                row.created(),
                row.createdBy(),
                row.expires().orElse(null),
                row.revoked().orElse(null),
                row.replacedBy().orElse(null),
                row.version(),
                text);
    }

    @GET
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Keys, by id")
    public Page<KeyView> list(@BeanParam PageRequest request) {
        return page(
                request,
                sql -> KeyRows.page(sql, caller.organisation(), caller.project(), request.name(), request.rows()),
                KeysResource::view,
                KeyRows.Stored::id);
    }

    @GET
    @Path("{id}")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "One key, without its text")
    public Response get(@PathParam("id") String id) {
        KeyRows.Stored row = transact(sql -> find(sql, id));
        return tagged(Response.ok(), view(row), row.version());
    }

    private boolean isVisible(KeyRows.Stored row) {
        return row.organisation().equals(caller.organisation())
                && (caller.project().isEmpty() || caller.project().equals(row.project()));
    }

    @POST
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Makes a key, and shows its text this once")
    public Response create(KeyRequest request, @HeaderParam("Idempotency-Key") String once) {
        KeyRequest body = Inputs.required(request);
        ResourceNames.text("name", body.name());
        List<KeyScope> scopes = scopes(body);
        return act(
                "key.create",
                body.name(),
                "scopes " + scopes,
                sql -> idempotency.once(sql, once, body, it -> create(it, body, scopes), KeyView::withoutText));
    }

    @PUT
    @Path("{id}")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Changes the name, the scopes and the end of a key; If-Match says which version",
            description = "Its project and its member stay. Without expires it has no end.")
    public Response put(@PathParam("id") String id, KeyRequest request, @BeanParam Preconditions match) {
        KeyRequest body = Inputs.required(request);
        ResourceNames.text("name", body.name());
        List<KeyScope> scopes = scopes(body);
        Optional<Instant> expires = Optional.ofNullable(body.expires());
        KeyRows.Stored changed = act("key.set", id, "scopes " + scopes, sql -> {
            KeyRows.Stored old = find(sql, id);
            match.require(old.version(), "key", id);
            requireChangeable(sql, old, body);
            requireFuture(sql, expires);
            old.subject().ifPresent(subject -> requireRole(sql, subject, old.project(), scopes));
            requireWritten(KeyRows.change(sql, old, body.name(), scopes, expires), "key", id);
            return find(sql, id);
        });
        return tagged(Response.ok(), view(changed), changed.version());
    }

    private void requireChangeable(Sql sql, KeyRows.Stored old, KeyRequest body) {
        if (!old.isValid(sql.now()) || old.replacedBy().isPresent()) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "key " + old.id() + ": it was revoked or replaced, or has expired; make a new one");
        }
        requireNoMoreRights(caller, old, "change");
        boolean isMoved = body.project() != null && !old.project().equals(Optional.of(body.project()))
                || body.member() != null && !old.subject().equals(Optional.of(body.member()));
        if (isMoved) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "key " + old.id() + ": its project and its member are not changed; make another key");
        }
    }

    private static void requireFuture(Sql sql, Optional<Instant> expires) {
        expires.filter(end -> !end.isAfter(sql.now())).ifPresent(end -> {
            throw Problem.invalid("expires: expected a time to come, got " + end);
        });
    }

    private List<KeyScope> scopes(KeyRequest body) {
        List<KeyScope> asked = Inputs.few("scopes", body.scopes(), Bounds.SCOPES);
        if (asked.isEmpty()) {
            throw Problem.invalid("scopes: expected some of READ, MACHINES, ADMIN and OPERATOR, got none");
        }
        asked.stream().filter(scope -> !caller.may(scope)).findFirst().ifPresent(scope -> {
            throw Problem.of(
                    Problem.Code.FORBIDDEN, "scopes: a key cannot make one that may more than itself, got " + scope);
        });
        return asked.stream().distinct().sorted().toList();
    }

    private KeyView create(Sql sql, KeyRequest body, List<KeyScope> scopes) {
        Optional<String> project = caller.projectFilter(Optional.ofNullable(body.project()));
        requireProject(sql, project);
        Optional<Instant> expires = Optional.ofNullable(body.expires());
        requireFuture(sql, expires);
        Optional<String> member = Optional.ofNullable(body.member());
        member.ifPresent(subject -> requireRole(sql, subject, project, scopes));
        return store(sql, body.name(), project, member, scopes, expires);
    }

    private void requireRole(Sql sql, String subject, Optional<String> project, List<KeyScope> scopes) {
        List<Role> roles = TenantRows.roles(sql, caller.organisation(), project, subject);
        if (roles.isEmpty()) {
            throw Problem.notFound("member", subject);
        }
        scopes.stream()
                .filter(scope ->
                        roles.stream().noneMatch(role -> KeyRows.scopes(role).contains(scope)))
                .findFirst()
                .ifPresent(scope -> {
                    throw Problem.of(
                            Problem.Code.FORBIDDEN,
                            "scopes: the role of member " + subject + " is " + roles.getFirst() + ", which has not "
                                    + scope);
                });
    }

    private KeyView store(
            Sql sql,
            String name,
            Optional<String> project,
            Optional<String> member,
            List<KeyScope> scopes,
            Optional<Instant> expires) {
        ApiKey key = ApiKey.draw(random);
        KeyRows.add(
                sql,
                KeyRows.Stored.drawn(
                        key, caller.organisation(), project, member, name, scopes, caller.keyId(), expires));
        return view(KeyRows.find(sql, key.id()).orElseThrow().key(), key.text());
    }

    @POST
    @Path("{id: [^/:]+}:rotate")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Makes a key in place of another one, which goes on for a stated time")
    public Response rotate(@PathParam("id") String id, Rotation rotation, @HeaderParam("Idempotency-Key") String once) {
        Duration overlap = Optional.ofNullable(rotation).map(Rotation::overlap).orElse(Duration.ofHours(24));
        if (overlap.isNegative() || overlap.compareTo(Bounds.KEY_OVERLAP) > 0) {
            throw Problem.invalid(
                    "overlap: expected no time to " + Bounds.KEY_OVERLAP.toDays() + " days, got " + overlap);
        }
        return act(
                "key.rotate",
                id,
                "the old one goes on for " + overlap,
                sql -> idempotency.once(
                        sql, once, List.of(id, overlap), it -> rotate(it, id, overlap), KeyView::withoutText));
    }

    private KeyView rotate(Sql sql, String id, Duration overlap) {
        KeyRows.Stored old = find(sql, id);
        if (!old.isValid(sql.now())) {
            throw Problem.of(Problem.Code.CONFLICT, "key " + id + ": it has expired or was revoked; make a new one");
        }
        requireNoMoreRights(caller, old, "rotate");
        KeyView made = store(sql, old.name(), old.project(), old.subject(), old.scopes(), old.expires());
        KeyRows.replace(sql, id, made.id(), sql.now().plus(overlap));
        return made;
    }

    @DELETE
    @Path("{id}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Revokes a key; it opens nothing from then on",
            description = "If-Match says which version is revoked.")
    public Response revoke(@PathParam("id") String id, @BeanParam Preconditions match) {
        return remove("key.revoke", id, "", sql -> {
            KeyRows.lock(sql, id);
            KeyRows.Stored key = find(sql, id);
            match.require(key.version(), "key", id);
            requireNoMoreRights(caller, key, "revoke");
            KeyRows.revoke(sql, caller.organisation(), id);
        });
    }

    /** Refuses to act on a key with a scope that the caller's key does not have. */
    static void requireNoMoreRights(Caller caller, KeyRows.Stored key, String verb) {
        key.scopes().stream().filter(scope -> !caller.may(scope)).findFirst().ifPresent(scope -> {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "key " + key.id() + ": it has the scope " + scope + ", which the key that would " + verb
                            + " it has not");
        });
    }

    private KeyRows.Stored find(Sql sql, String id) {
        return KeyRows.find(sql, id)
                .map(KeyRows.Found::key)
                .filter(this::isVisible)
                .orElseThrow(() -> Problem.notFound("key", id));
    }
}
