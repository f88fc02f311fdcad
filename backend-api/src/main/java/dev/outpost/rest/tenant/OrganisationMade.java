package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;

/** A new organisation, and the key of its administrator, which is shown this once. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrganisationMade(String name, String project, String key) {
    /** The same, without the secret. */
    public OrganisationMade withoutKey() {
        return new OrganisationMade(name, project, null);
    }
}
