package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/** A project as the API shows it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectView(String name, int priority, Instant created, Instant archived, long version) {}
