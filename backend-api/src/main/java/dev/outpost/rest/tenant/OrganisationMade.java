package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A new organisation.
 *
 * @param project the name of its first project
 * @param key the key of its administrator, which no other answer shows
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrganisationMade(
        String name, String project, @Nullable String key) {
    /** Returns a copy without the key. */
    public OrganisationMade withoutKey() {
        return new OrganisationMade(name, project, null);
    }
}
