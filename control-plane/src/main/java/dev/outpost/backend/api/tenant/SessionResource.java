package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiKeyFilter;
import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.PublicEndpoint;
import dev.outpost.backend.identity.BrowserRequest;
import dev.outpost.backend.identity.BrowserSession;
import dev.outpost.backend.identity.SessionCookie;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.SessionRows;
import dev.outpost.rest.tenant.BrowserSessionRequest;
import dev.outpost.rest.tenant.BrowserSessionView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Sessions of browsers. A session has the rights of a key, and a cookie that scripts cannot read identifies it. Requests of a
 * session that change state need its token, so no other site can make them.
 */
@Path("/v1/session")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "identity")
public class SessionResource extends ApiResource {
    private static final Duration LIFE = Duration.ofHours(12);

    private final IdentityResource identity;
    private final BrowserRequest browser;
    private final SecureRandom random = new SecureRandom();

    SessionResource(IdentityResource identity, BrowserRequest browser) {
        this.identity = identity;
        this.browser = browser;
    }

    @GET
    @PublicEndpoint
    @SecurityRequirements
    @Operation(
            summary = "The session of the browser that asks: the organisation, the rights and the token",
            description = "204 if the request has no cookie of a session, or if the session has ended.")
    @APIResponse(responseCode = "200", description = "The session")
    @APIResponse(responseCode = "204", description = "No session")
    public BrowserSessionView get() {
        requireOwnPage();
        return browser.session()
                .flatMap(session -> transact(sql -> SessionRows.find(sql, session.hash())
                        .flatMap(row -> KeyRows.find(sql, row.keyId())
                                .flatMap(KeyRows.Found::effective)
                                .map(key -> view(key, session, row)))))
                .orElse(null);
    }

    @POST
    @PublicEndpoint
    @SecurityRequirements
    @Operation(
            summary = "Begins a session of a browser by a key or by a code of the issuer",
            description =
                    "Sets the cookie of the session: HttpOnly, SameSite=Strict, and Secure over HTTPS. The session ends after"
                            + " 12 hours, with its key, or by DELETE. A key has up to "
                            + SessionRows.OF_KEY
                            + " sessions; a further one ends the oldest. Requests that change state need the header X-CSRF-Token.")
    public RestResponse<BrowserSessionView> begin(BrowserSessionRequest request) {
        BrowserSessionRequest body = Inputs.required(request);
        requireOwnPage();
        if ((body.key() == null) == (body.code() == null)) {
            throw Problem.invalid("key, code: expected one of them");
        }
        String text = body.key() == null ? identity.code(body.code()).key() : body.key();
        BrowserSession session = BrowserSession.draw(random);
        BrowserSessionView view = transact(sql -> {
            KeyRows.Stored key = ApiKey.parse(text)
                    .flatMap(said -> KeyRows.find(sql, said.id())
                            .filter(found -> said.matches(found.key().hash())))
                    .flatMap(KeyRows.Found::effective)
                    .orElseThrow(SessionResource::unknown);
            Instant end = sql.now().plus(LIFE);
            Instant expires = key.expires().filter(end::isAfter).orElse(end);
            SessionRows.Stored row = new SessionRows.Stored(session.hash(), key.id(), expires);
            SessionRows.add(sql, row);
            AuditRows.add(sql, key.organisation(), key.id(), "session.begin", key.id(), "");
            return view(key, session, row);
        });
        return RestResponse.ResponseBuilder.create(RestResponse.Status.CREATED, view)
                .cookie(cookie(browser.isSecure(), session.secret(), NewCookie.DEFAULT_MAX_AGE))
                .build();
    }

    @DELETE
    @Consumes(MediaType.WILDCARD)
    @PublicEndpoint
    @SecurityRequirements
    @Operation(summary = "Ends the session of a browser; the key of a login is revoked")
    public RestResponse<Void> end() {
        requireOwnPage();
        BrowserSession session = browser.session()
                .orElseThrow(() -> Problem.of(
                        Problem.Code.CONFLICT, "session: the call has no cookie of a session; there is none to end"));
        ApiKeyFilter.requireToken(session, browser.token());
        // A session ends also if its key opens nothing any more.
        database.run(sql -> SessionRows.find(sql, session.hash())
                .flatMap(row -> KeyRows.find(sql, row.keyId()))
                .map(KeyRows.Found::key)
                .ifPresent(key -> {
                    KeyRows.revokeLogin(sql, key.organisation(), key.id());
                    SessionRows.remove(sql, session.hash());
                    AuditRows.add(sql, key.organisation(), key.id(), "session.end", key.id(), "");
                }));
        return RestResponse.ResponseBuilder.<Void>noContent()
                .cookie(cookie(true, "", 0), cookie(false, "", 0))
                .build();
    }

    private void requireOwnPage() {
        if (!browser.sender().isOwnPage()) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "session: another site made this request; only the dashboard's own pages may");
        }
    }

    private static Problem unknown() {
        return Problem.of(Problem.Code.UNAUTHENTICATED, "key: it is unknown, expired or revoked");
    }

    private static NewCookie cookie(boolean isSecure, String value, int maxAge) {
        return new NewCookie.Builder(SessionCookie.name(isSecure))
                .value(value)
                .path("/")
                .maxAge(maxAge)
                .httpOnly(true)
                .secure(isSecure)
                .sameSite(NewCookie.SameSite.STRICT)
                .build();
    }

    private static BrowserSessionView view(KeyRows.Stored key, BrowserSession session, SessionRows.Stored row) {
        return new BrowserSessionView(
                key.id(),
                key.name(),
                key.organisation(),
                key.project().orElse(null),
                key.subject().orElse(null),
                key.scopes(),
                key.subject().filter(key.createdBy()::equals).isPresent(),
                session.csrfToken(),
                row.expires());
    }
}
