package dev.outpost.backend.api;

import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.identity.BrowserRequest;
import dev.outpost.backend.identity.BrowserSession;
import dev.outpost.backend.identity.SessionCookie;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.SessionRows;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.worker.WorkerSecret;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Accepts only requests with a valid key that allows the call, or with the session of a browser that has such a key. */
public class ApiKeyFilter {
    private static final String BEARER = "Bearer ";

    /** The methods that change nothing. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    /** The maximum number of calls without a key (logins) that one address may make per second. */
    private static final int LOGINS = 20;

    private final Database database;
    private final Caller caller;
    private final WorkerCaller worker;
    private final RunnerCaller runner;
    private final RunnerKeys runners;
    private final RateLimits rates;
    private final UnknownKeyGuard unknown;
    private final AddressLimit logins = new AddressLimit("logins", LOGINS, System::nanoTime);
    private final CurrentVertxRequest current;
    private final BrowserRequest browser;
    private final Serving serving;

    ApiKeyFilter(
            Database database,
            Caller caller,
            WorkerCaller worker,
            RunnerCaller runner,
            RunnerKeys runners,
            RateLimits rates,
            UnknownKeyGuard unknown,
            CurrentVertxRequest current,
            BrowserRequest browser,
            Serving serving) {
        this.browser = browser;
        this.serving = serving;
        this.database = database;
        this.caller = caller;
        this.worker = worker;
        this.runner = runner;
        this.runners = runners;
        this.rates = rates;
        this.unknown = unknown;
        this.current = current;
    }

    @ServerRequestFilter
    public void check(ContainerRequestContext request, ResourceInfo resource) {
        serving.require();
        String header = request.getHeaderString(HttpHeaders.AUTHORIZATION);
        if (resource.getResourceMethod().isAnnotationPresent(PublicEndpoint.class)) {
            logins.take(address());
            return;
        }
        if (resource.getResourceMethod().isAnnotationPresent(RunnerEndpoint.class)) {
            checkRunner(header);
            return;
        }
        WorkerEndpoint workerEndpoint = resource.getResourceMethod().getAnnotation(WorkerEndpoint.class);
        if (workerEndpoint == null) {
            checkKey(header == null ? authenticateSession(request.getMethod()) : authenticate(header), resource);
        } else {
            checkWorker(header, workerEndpoint.value());
        }
    }

    private String address() {
        return RequestGuard.address(current.getCurrent());
    }

    private static Optional<String> token(String header) {
        return Optional.ofNullable(header)
                .filter(text -> text.startsWith(BEARER))
                .map(text -> text.substring(BEARER.length()).strip());
    }

    /**
     * Checks the secret of a worker host. Accepts a used pairing code, because the call that consumes it refuses it.
     */
    private void checkWorker(String header, WorkerSecret.Kind kind) {
        WorkerSecret secret = token(header)
                .flatMap(WorkerSecret::parse)
                .filter(said -> said.kind() == kind)
                .flatMap(said -> unknown.find(
                        address(), said.hash(), () -> Optional.of(said).filter(this::isKnown)))
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNAUTHENTICATED,
                        "worker: the host is not paired, or its code or key is unknown, used or over; an operator makes a new"
                                + " code by POST /v1/clusters/NAME:pair"));
        rates.take("worker " + secret.cluster());
        worker.set(secret);
    }

    /** Checks the token of a runner. Unknown tokens are not limited, because the signature check needs no query. */
    private void checkRunner(String header) {
        UUID machine = token(header)
                .flatMap(runners::machine)
                .orElseThrow(() ->
                        Problem.of(Problem.Code.UNAUTHENTICATED, "runner: the token is none of a run of this backend"));
        rates.take("runner " + machine);
        runner.set(machine);
    }

    private boolean isKnown(WorkerSecret said) {
        Optional<WorkerRows.Host> host = database.transact(sql -> WorkerRows.host(sql, said.cluster()));
        return host.flatMap(
                        said.kind() == WorkerSecret.Kind.CODE ? WorkerRows.Host::codeHash : WorkerRows.Host::keyHash)
                .filter(said::matches)
                .isPresent();
    }

    private void checkKey(KeyRows.Stored key, ResourceInfo resource) {
        rates.take(key.id());
        RequiresScope requiresScope =
                needs(resource).orElseThrow(() -> Problem.of(Problem.Code.FORBIDDEN, "no key allows this call"));
        if (!key.scopes().contains(requiresScope.value())) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "the key has not the scope " + requiresScope.value() + "; ask an administrator for one that has");
        }
        caller.set(key);
    }

    /**
     * Finds the valid key of a request. A text that is no key does not count as a guess, because it costs no query.
     */
    private KeyRows.Stored authenticate(String header) {
        return token(header)
                .flatMap(ApiKey::parse)
                .flatMap(said -> unknown.find(address(), said.hash(), () -> find(said)))
                .orElseThrow(ApiKeyFilter::withoutKey);
    }

    /**
     * Finds the valid key of a browser's session. Refuses requests of other sites, and requests that change state without
     * the session's token.
     */
    private KeyRows.Stored authenticateSession(String method) {
        BrowserSession session = browser.session().orElseThrow(ApiKeyFilter::withoutKey);
        if (!browser.sender().isOwnPage()) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "session: another site made this request; only the dashboard's own pages may");
        }
        if (!SAFE.contains(method)) {
            requireToken(session, browser.token());
        }
        KeyRows.Stored key = unknown.find(address(), session.hash(), () -> find(session))
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNAUTHENTICATED, "session: it has ended, or its key was revoked; log in again"));
        caller.set(session);
        return key;
    }

    /** Refuses a call that has not the token of the session. */
    public static void requireToken(BrowserSession session, String token) {
        if (!session.hasToken(token)) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "session: the header " + SessionCookie.TOKEN
                            + " lacks the token of the session; GET /v1/session shows it");
        }
    }

    private Optional<KeyRows.Stored> find(BrowserSession session) {
        return database.transact(
                        sql -> SessionRows.find(sql, session.hash()).flatMap(row -> KeyRows.find(sql, row.keyId())))
                .flatMap(KeyRows.Found::effective);
    }

    private static Problem withoutKey() {
        return Problem.of(
                Problem.Code.UNAUTHENTICATED,
                "the key is missing, unknown, expired or revoked; log in with a valid one by ./outpost login, or send it as"
                        + " \"Authorization: Bearer op_...\"");
    }

    private Optional<KeyRows.Stored> find(ApiKey said) {
        return database.transact(sql -> KeyRows.find(sql, said.id()))
                .filter(found -> said.matches(found.key().hash()))
                .flatMap(KeyRows.Found::effective);
    }

    private static Optional<RequiresScope> needs(ResourceInfo resource) {
        return Optional.ofNullable(resource.getResourceMethod().getAnnotation(RequiresScope.class))
                .or(() -> Optional.ofNullable(resource.getResourceClass().getAnnotation(RequiresScope.class)));
    }
}
