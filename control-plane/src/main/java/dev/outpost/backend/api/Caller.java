package dev.outpost.backend.api;

import dev.outpost.backend.identity.BrowserSession;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.rest.tenant.KeyScope;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;

/** The caller of a request, identified by its key. */
@RequestScoped
public class Caller {
    private KeyRows.Stored key;
    private BrowserSession session;

    void set(BrowserSession authenticated) {
        session = authenticated;
    }

    /** The session of the browser that makes the request; empty if the request has a key. */
    public Optional<BrowserSession> session() {
        return Optional.ofNullable(session);
    }

    void set(KeyRows.Stored authenticated) {
        key = authenticated;
    }

    public String keyId() {
        return key.id();
    }

    public String organisation() {
        return key.organisation();
    }

    /** The project of the key; empty for a key of all projects. */
    public Optional<String> project() {
        return key.project();
    }

    public boolean may(KeyScope scope) {
        return key.scopes().contains(scope);
    }

    /** True if the key may see this project. */
    public boolean sees(String project) {
        return key.project().filter(own -> !own.equals(project)).isEmpty();
    }

    /**
     * Returns the project of a request: the named project, or the project of the key.
     *
     * @param named the project that the request names
     */
    public String projectOr(Optional<String> named) {
        String project = named.or(this::project).orElse(TenantRows.FIRST_PROJECT);
        if (!sees(project)) {
            throw Problem.notFound("project", project);
        }
        return project;
    }

    /** Returns the project that a list is limited to; empty for all projects. */
    public Optional<String> projectFilter(Optional<String> named) {
        named.filter(project -> !sees(project)).ifPresent(project -> {
            throw Problem.notFound("project", project);
        });
        return named.or(this::project);
    }
}
