package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.PublicEndpoint;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.identity.Issuer;
import dev.outpost.backend.identity.Login;
import dev.outpost.backend.identity.Person;
import dev.outpost.backend.identity.RoleMap;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.CodeRequest;
import dev.outpost.rest.tenant.IdentityView;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.LoggedIn;
import dev.outpost.rest.tenant.LoginRequest;
import dev.outpost.rest.tenant.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Logins by an issuer of OpenID Connect. A person exchanges an ID token for a key, which expires after some hours. */
@Path("/v1/identity")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "identity")
public class IdentityResource extends ApiResource {
    private final Login settings;
    private final SecureRandom random = new SecureRandom();

    IdentityResource(Login settings) {
        this.settings = settings;
    }

    @GET
    @PublicEndpoint
    @SecurityRequirements
    @Operation(
            summary = "The issuer by which people log in",
            description = "Without an issuer the answer is 404, or 204 with ?optional=true.")
    @APIResponse(responseCode = "200", description = "The issuer")
    @APIResponse(responseCode = "204", description = "No issuer is set")
    public IdentityView get(@QueryParam("optional") @DefaultValue("false") boolean optional) {
        if (optional && settings.issuer().isEmpty()) {
            return null;
        }
        Issuer.Endpoints endpoints = asking(() -> issuer().endpoints());
        return new IdentityView(
                endpoints.issuer(),
                endpoints.client(),
                endpoints.device(),
                endpoints.token(),
                endpoints.authorization(),
                endpoints.endSession());
    }

    @POST
    @Path("login")
    @PublicEndpoint
    @SecurityRequirements
    @Operation(
            summary = "Exchanges an ID token for a key of the person, whose groups say the role",
            description =
                    "organisation is needed where groups give roles in several. project says for which project the key is; without it,"
                            + " it is for all of the organisation, or for the first project where groups give roles in projects only.")
    public LoggedIn login(LoginRequest request) {
        LoginRequest body = Inputs.required(request);
        if (body.idToken() == null || body.idToken().length() > Bounds.ID_TOKEN) {
            throw Problem.invalid("idToken: expected an ID token of the issuer");
        }
        return enter(asking(() -> issuer().person(body.idToken())), body.organisation(), body.project());
    }

    @POST
    @Path("code")
    @PublicEndpoint
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
        return enter(asking(() -> issuer().person(code)), body.organisation(), body.project());
    }

    private static String text(String field, String value) {
        if (value == null || value.isEmpty() || value.length() > Bounds.LOGIN_TEXT) {
            throw Problem.invalid(field + ": expected a text of 1 to " + Bounds.LOGIN_TEXT + " characters");
        }
        return value;
    }

    @POST
    @Path("logout")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Revokes the key of a login that the call bears; keys that are none stay")
    public Response logout() {
        return remove("identity.logout", caller.keyId(), "", sql -> {
            if (!KeyRows.revokeLogin(sql, caller.organisation(), caller.keyId())) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "key " + caller.keyId()
                                + ": it is of no login, so logging out leaves it; revoke it by DELETE /v1/keys/ID");
            }
        });
    }

    /** Sets the person's memberships by the groups, even if this login is refused or is for another organisation. */
    private LoggedIn enter(Person person, String organisation, String project) {
        List<RoleMap.Entry> all = settings.roles().of(person.groups());
        database.run(sql -> follow(sql, person, all));
        List<RoleMap.Entry> wanted = all.stream()
                .filter(entry -> organisation == null || entry.organisation().equals(organisation))
                .filter(entry -> project == null
                        || entry.project()
                                .filter(other -> !other.equals(project))
                                .isEmpty())
                .toList();
        List<String> organisations =
                wanted.stream().map(RoleMap.Entry::organisation).distinct().toList();
        if (organisations.size() != 1) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    organisations.isEmpty()
                            ? "none of the groups of " + person.name() + " has a role "
                                    + (project == null ? "here" : "in project " + project) + "; ask an administrator"
                            : "groups give roles in " + organisations + "; say which by organisation");
        }
        ApiKey key = ApiKey.draw(random);
        return transact(sql -> login(sql, person, organisations.getFirst(), wanted, Optional.ofNullable(project), key));
    }

    private LoggedIn login(
            Sql sql,
            Person person,
            String organisation,
            List<RoleMap.Entry> wanted,
            Optional<String> asked,
            ApiKey key) {
        if (!TenantRows.hasOrganisation(sql, organisation)) {
            throw Problem.notFound("organisation", organisation);
        }
        asked.ifPresent(name ->
                TenantRows.project(sql, organisation, name).orElseThrow(() -> Problem.notFound("project", name)));
        Optional<String> project =
                asked.or(() -> wanted.stream().anyMatch(entry -> entry.project().isEmpty())
                        ? Optional.empty()
                        : wanted.getFirst().project());
        List<KeyScope> scopes = wanted.stream()
                .filter(entry -> entry.project().isEmpty() || entry.project().equals(project))
                .flatMap(entry -> KeyRows.scopes(entry.role()).stream())
                .distinct()
                .toList();
        Instant expires = sql.now().plus(settings.keyLife());
        KeyRows.add(
                sql,
                KeyRows.Stored.drawn(
                        key,
                        organisation,
                        project,
                        Optional.of(person.subject()),
                        "login of " + person.name(),
                        scopes,
                        person.subject(),
                        Optional.of(expires)));
        AuditRows.add(sql, organisation, person.subject(), "identity.login", key.id(), person.name());
        return new LoggedIn(key.text(), organisation, project.orElse(null), person.subject(), scopes, expires);
    }

    /** An organisation, or one of its projects, in which members of groups can have roles. */
    private record Place(String organisation, Optional<String> project) {
        static Place of(RoleMap.Entry entry) {
            return new Place(entry.organisation(), entry.project());
        }
    }

    /**
     * Sets the person's roles by the groups, in all organisations. Removes the person's role in each place where only
     * other groups have a role.
     */
    private void follow(Sql sql, Person person, List<RoleMap.Entry> entries) {
        Instant end = sql.now().plus(settings.memberLife());
        settings.roles().all().stream()
                .map(Place::of)
                .distinct()
                .forEach(place -> entries.stream()
                        .filter(entry -> Place.of(entry).equals(place))
                        .map(RoleMap.Entry::role)
                        .max(Comparator.naturalOrder())
                        .ifPresentOrElse(
                                role -> set(sql, place, person, role, end),
                                () -> TenantRows.removeMember(
                                        sql,
                                        place.organisation(),
                                        place.project(),
                                        person.subject(),
                                        Optional.empty())));
    }

    /** Does nothing if the organisation of the setting does not exist. */
    private static void set(Sql sql, Place place, Person person, Role role, Instant end) {
        if (TenantRows.hasOrganisation(sql, place.organisation())) {
            TenantRows.setMemberUntil(sql, place.organisation(), place.project(), person.subject(), role, end);
        }
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
