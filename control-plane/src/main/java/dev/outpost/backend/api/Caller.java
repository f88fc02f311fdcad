package dev.outpost.backend.api;

import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.rest.tenant.KeyScope;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;

/** The caller, by the key that the request bears. */
@RequestScoped
public class Caller {
    private KeyRows.Stored key;

    void set(KeyRows.Stored authenticated) {
        key = authenticated;
    }

    public String keyId() {
        return key.id();
    }

    public String organisation() {
        return key.organisation();
    }

    /** The project that the key is for; all of the organisation's where it is empty. */
    public Optional<String> project() {
        return key.project();
    }

    public boolean may(KeyScope scope) {
        return key.scopes().contains(scope);
    }

    /** True if the key may see that project. */
    public boolean sees(String project) {
        return key.project().filter(own -> !own.equals(project)).isEmpty();
    }

    /**
     * The project that a request is about.
     *
     * @param named the one that it names
     */
    public String projectOr(Optional<String> named) {
        String project = named.or(this::project).orElse(TenantRows.FIRST_PROJECT);
        if (!sees(project)) {
            throw Problem.notFound("project", project);
        }
        return project;
    }

    /** The project that a list is about; all that the key sees where it names none. */
    public Optional<String> projectFilter(Optional<String> named) {
        named.filter(project -> !sees(project)).ifPresent(project -> {
            throw Problem.notFound("project", project);
        });
        return named.or(this::project);
    }
}
