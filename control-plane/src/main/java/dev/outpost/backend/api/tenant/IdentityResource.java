package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.Acts;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Needs;
import dev.outpost.backend.api.Open;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.identity.Issuer;
import dev.outpost.backend.identity.Login;
import dev.outpost.backend.identity.Person;
import dev.outpost.backend.identity.RoleMap;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.TenantRows;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Logins by an issuer of OpenID Connect: an ID token is exchanged for a key of the person, which is over after some hours. */
@Path("/v1/identity")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "identity")
public class IdentityResource {
    private static final int LONGEST_TEXT = Bounds.LOGIN_TEXT;

    private final Login settings;
    private final Database database;
    private final Acts acts;
    private final Caller caller;
    private final SecureRandom random = new SecureRandom();

    IdentityResource(Login settings, Database database, Acts acts, Caller caller) {
        this.settings = settings;
        this.database = database;
        this.acts = acts;
        this.caller = caller;
    }

    /** Where clients log in; an empty endpoint where the issuer has none such. */
    public record IdentityView(
            String issuer,
            String clientId,
            String deviceEndpoint,
            String tokenEndpoint,
            String authorizationEndpoint,
            String endSessionEndpoint) {}

    @GET
    @Open
    @SecurityRequirements
    @Operation(summary = "The issuer by which people log in")
    public IdentityView get() {
        Issuer.Endpoints endpoints = asking(() -> issuer().endpoints());
        return new IdentityView(
                endpoints.issuer(),
                endpoints.client(),
                endpoints.device(),
                endpoints.token(),
                endpoints.authorization(),
                endpoints.endSession());
    }

    /** An ID token of the issuer. */
    public record LoginRequest(String idToken, String organisation) {
        @Override
        public String toString() {
            return "LoginRequest[hidden, " + organisation + "]";
        }
    }

    /** A key of the person, which this answer alone shows. */
    public record LoggedIn(
            String key, String organisation, String project, String subject, List<Scope> scopes, Instant expires) {}

    @POST
    @Path("login")
    @Open
    @SecurityRequirements
    @Operation(
            summary = "Exchanges an ID token for a key of the person, whose groups say the role",
            description = "organisation is needed where groups give roles in several.")
    public LoggedIn login(LoginRequest request) {
        LoginRequest body = Inputs.required(request);
        if (body.idToken() == null || body.idToken().length() > 16_000) {
            throw Problem.invalid("idToken: expected an ID token of the issuer");
        }
        return enter(asking(() -> issuer().person(body.idToken())), body.organisation());
    }

    /** A code of the issuer, and what proves that whoever sends it has asked for it. */
    public record CodeRequest(String code, String verifier, String redirect, String nonce, String organisation) {
        @Override
        public String toString() {
            return "CodeRequest[hidden, " + organisation + "]";
        }
    }

    @POST
    @Path("code")
    @Open
    @SecurityRequirements
    @Operation(
            summary = "Exchanges a code of the authorization code flow with PKCE for a key of the person",
            description = "The backend asks the issuer for the ID token, and answers as login does.")
    public LoggedIn code(CodeRequest request) {
        CodeRequest body = Inputs.required(request);
        Issuer.Code code = new Issuer.Code(
                text("code", body.code()),
                text("verifier", body.verifier()),
                text("redirect", body.redirect()),
                text("nonce", body.nonce()));
        return enter(asking(() -> issuer().person(code)), body.organisation());
    }

    private static String text(String field, String value) {
        if (value == null || value.isEmpty() || value.length() > LONGEST_TEXT) {
            throw Problem.invalid(field + ": expected a text of 1 to " + LONGEST_TEXT + " characters");
        }
        return value;
    }

    @POST
    @Path("logout")
    @Consumes(MediaType.WILDCARD)
    @Needs(Scope.READ)
    @Operation(summary = "Revokes the key of a login that the call bears; keys that are none stay")
    public Response logout() {
        acts.act("identity.logout", caller.keyId(), "", sql -> {
            if (!KeyRows.revokeLogin(sql, caller.organisation(), caller.keyId())) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "key " + caller.keyId()
                                + ": it is of no login, so logging out leaves it; revoke it by DELETE /v1/keys/ID");
            }
            return null;
        });
        return Response.noContent().build();
    }

    private LoggedIn enter(Person person, String asked) {
        List<RoleMap.Entry> all = settings.roles().of(person.groups()).stream()
                .filter(entry -> asked == null || entry.organisation().equals(asked))
                .toList();
        if (settings.roles().of(person.groups()).isEmpty()) {
            database.run(sql -> settings.roles()
                    .all()
                    .forEach(entry ->
                            TenantRows.removeMember(sql, entry.organisation(), entry.project(), person.subject())));
        }
        List<String> organisations =
                all.stream().map(RoleMap.Entry::organisation).distinct().toList();
        if (organisations.size() != 1) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    organisations.isEmpty()
                            ? "none of the groups of " + person.name() + " has a role here; ask an administrator"
                            : "groups give roles in " + organisations + "; say which by organisation");
        }
        ApiKey key = ApiKey.draw(random);
        return database.transact(sql -> login(sql, person, organisations.getFirst(), all, key));
    }

    private LoggedIn login(Sql sql, Person person, String organisation, List<RoleMap.Entry> entries, ApiKey key) {
        if (!TenantRows.hasOrganisation(sql, organisation)) {
            throw Problem.notFound("organisation", organisation);
        }
        follow(sql, person, organisation, entries);
        Optional<String> project =
                entries.stream().anyMatch(entry -> entry.project().isEmpty())
                        ? Optional.empty()
                        : entries.getFirst().project();
        List<Scope> scopes = entries.stream()
                .flatMap(entry -> KeyRows.scopes(entry.role()).stream())
                .distinct()
                .toList();
        Instant expires = sql.now().plus(settings.keyLife());
        KeyRows.add(
                sql,
                new KeyRows.Stored(
                        key.id(),
                        organisation,
                        project,
                        Optional.of(person.subject()),
                        "login of " + person.name(),
                        key.hash(),
                        scopes,
                        sql.now(),
                        person.subject(),
                        Optional.of(expires),
                        Optional.empty(),
                        Optional.empty(),
                        1));
        AuditRows.add(sql, organisation, person.subject(), "identity.login", key.id(), person.name());
        return new LoggedIn(key.text(), organisation, project.orElse(null), person.subject(), scopes, expires);
    }

    /** Somebody is what the groups say now, and nothing else that groups can say. */
    private void follow(Sql sql, Person person, String organisation, List<RoleMap.Entry> entries) {
        Stream<Optional<String>> places = settings.roles().all().stream()
                .filter(entry -> entry.organisation().equals(organisation))
                .map(RoleMap.Entry::project)
                .distinct();
        places.forEach(project -> entries.stream()
                .filter(entry -> entry.project().equals(project))
                .map(RoleMap.Entry::role)
                .max(Comparator.naturalOrder())
                .ifPresentOrElse(
                        role -> TenantRows.setMember(
                                sql, organisation, project, person.subject(), role, Optional.empty()),
                        () -> TenantRows.removeMember(sql, organisation, project, person.subject())));
    }

    private Issuer issuer() {
        return settings.issuer()
                .orElseThrow(() -> Problem.of(
                        Problem.Code.NOT_FOUND,
                        "identity: no issuer is set here; log in by a key, or set OUTPOST_BACKEND_OIDC_ISSUER"));
    }

    private interface Question<T> {
        T ask();
    }

    private static <T> T asking(Question<T> question) {
        try {
            return question.ask();
        } catch (Issuer.UntrustedException untrusted) {
            throw Problem.of(Problem.Code.UNAUTHENTICATED, untrusted.getMessage());
        } catch (Issuer.AwayException away) {
            throw Problem.of(Problem.Code.UNAVAILABLE, away.getMessage());
        }
    }
}
