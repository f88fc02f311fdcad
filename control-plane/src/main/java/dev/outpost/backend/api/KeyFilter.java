package dev.outpost.backend.api;

import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.worker.WorkerSecret;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Lets in what bears a valid key that allows the call, and nothing else. */
public class KeyFilter {
    private static final String BEARER = "Bearer ";

    private final Database database;
    private final Caller caller;
    private final WorkerCaller worker;
    private final RunnerCaller runner;
    private final RunnerKeys runners;
    private final RateLimits rates;
    private final UnknownKeys unknown;
    private final CurrentVertxRequest current;
    private final Serving serving;

    KeyFilter(
            Database database,
            Caller caller,
            WorkerCaller worker,
            RunnerCaller runner,
            RunnerKeys runners,
            RateLimits rates,
            UnknownKeys unknown,
            CurrentVertxRequest current,
            Serving serving) {
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
        if (resource.getResourceMethod().isAnnotationPresent(Open.class)) {
            rates.take("login");
            return;
        }
        if (resource.getResourceMethod().isAnnotationPresent(ByRunner.class)) {
            checkRunner(header);
            return;
        }
        ByWorker byWorker = resource.getResourceMethod().getAnnotation(ByWorker.class);
        if (byWorker == null) {
            checkKey(header, resource);
        } else {
            checkWorker(header, byWorker.value());
        }
    }

    /** That a code was used already is found where it is used up. */
    private void checkWorker(String header, WorkerSecret.Kind kind) {
        WorkerSecret secret = Optional.ofNullable(header)
                .filter(said -> said.startsWith(BEARER))
                .flatMap(said ->
                        WorkerSecret.parse(said.substring(BEARER.length()).strip()))
                .filter(said -> said.kind() == kind)
                .filter(this::isKnown)
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNAUTHENTICATED,
                        "worker: the host is not paired, or its code or key is unknown, used or over; an operator makes a new"
                                + " code by POST /v1/clusters/NAME:pair"));
        rates.take("worker " + secret.cluster());
        worker.set(secret);
    }

    private void checkRunner(String header) {
        UUID machine = Optional.ofNullable(header)
                .filter(said -> said.startsWith(BEARER))
                .flatMap(said -> runners.machine(said.substring(BEARER.length()).strip()))
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

    private void checkKey(String header, ResourceInfo resource) {
        KeyRows.Stored key = authenticate(header);
        rates.take(key.id());
        Needs needs = needs(resource).orElseThrow(() -> Problem.of(Problem.Code.FORBIDDEN, "no key allows this call"));
        if (!key.scopes().contains(needs.value())) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN,
                    "the key has not the scope " + needs.value() + "; ask an administrator for one that has");
        }
        caller.set(key);
    }

    private KeyRows.Stored authenticate(String header) {
        String address = current.getCurrent().request().remoteAddress().hostAddress();
        Optional<ApiKey> said = Optional.ofNullable(header)
                .filter(text -> text.startsWith(BEARER))
                .flatMap(text -> ApiKey.parse(text.substring(BEARER.length()).strip()));
        said.ifPresent(key -> unknown.require(address, key.hash()));
        Optional<KeyRows.Stored> found = said.flatMap(this::find);
        if (found.isEmpty()) {
            // What is no key at all costs no look into the database.
            said.ifPresent(key -> unknown.count(address));
            throw Problem.of(
                    Problem.Code.UNAUTHENTICATED,
                    "a valid key is wanted as \"Authorization: Bearer op_...\"; this one is missing, unknown, expired"
                            + " or revoked");
        }
        unknown.wasGood(said.get().hash());
        return found.get();
    }

    private Optional<KeyRows.Stored> find(ApiKey said) {
        return database.transact(sql -> KeyRows.find(sql, said.id()))
                .filter(found -> said.matches(found.key().hash()))
                .flatMap(KeyRows.Found::effective);
    }

    private static Optional<Needs> needs(ResourceInfo resource) {
        return Optional.ofNullable(resource.getResourceMethod().getAnnotation(Needs.class))
                .or(() -> Optional.ofNullable(resource.getResourceClass().getAnnotation(Needs.class)));
    }
}
